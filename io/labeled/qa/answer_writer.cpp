#include "io/labeled/qa/answer_writer.h"

#include <unordered_set>

#include "core/error.h"
#include "io/json/json_text.h"
#include "io/labeled/qa/question_context.h"

namespace elmo {
namespace {

class AnswerWriter final : public PredictionWriter {
 public:
  explicit AnswerWriter(PredictionFormat format) : squad_(format == PredictionFormat::squad) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    std::string text;
    for (std::size_t i = 0; i < group.records.size(); ++i) {
      const TaskRecord& record = group.records[i];
      const auto& question = dynamic_cast<const AskedQuestion&>(*record.gold);
      if (squad_) {
        if (!ids_.insert(question.id()).second) {
          throw InputError("line " + std::to_string(group.texts[record.texts.front()].line) +
                           ": found the id " + ascii_json_text(question.id()) +
                           " a second time; expected an id of its own for each question, by which "
                           "SQuAD's scorer finds its answer");
        }
        const std::vector<std::int32_t>& span = predictions[i].labels;
        text += is_first_ ? "{" : ", ";
        text += json_text(question.id()) + ": " +
                json_text(question.context().answer(span.front(), span.back()));
      } else {
        text += line_of(question, predictions[i], record.texts.size() - 1);
      }
      is_first_ = false;
    }
    return text;
  }

  std::string end() override {
    if (!squad_) return {};
    return is_first_ ? "{}\n" : "}\n";
  }

 private:
  static std::string line_of(const AskedQuestion& question, const TaskPrediction& prediction,
                             std::size_t windows) {
    const std::int32_t first = prediction.labels.front();
    const std::int32_t last = prediction.labels.back();
    const TextPlace place = question.context().place_of(first, last);
    std::string json = R"({"id": )" + json_text(question.id());
    json += R"(, "answer": )" + json_text(question.context().answer(first, last));
    json += R"(, "start": )" + std::to_string(place.code_point_begin);
    json += R"(, "end": )" + std::to_string(place.code_point_end);
    json += R"(, "probability": )" + json_number(prediction.scores.front());
    const RepairedText& text = question.context().text;
    json += R"(, "bytes": [)" + std::to_string(text.source_offset(place.byte_begin)) + ", " +
            std::to_string(text.source_offset(place.byte_end)) + "]";
    if (windows > 1) json += R"(, "windows": )" + std::to_string(windows);
    return json + "}\n";
  }

  bool squad_;
  bool is_first_ = true;
  std::unordered_set<std::string> ids_;  // for squad
};

}  // namespace

std::unique_ptr<PredictionWriter> qa_writer(PredictionFormat format) {
  if (format != PredictionFormat::jsonl && format != PredictionFormat::squad) {
    throw RequestError("answers to questions are written as jsonl or squad; found " +
                       std::string(kPredictionFormats.word(format)));
  }
  return std::make_unique<AnswerWriter>(format);
}

}  // namespace elmo
