#include "cli/task/prediction_text.h"

#include <algorithm>
#include <utility>

#include "core/task/spans.h"
#include "io/sinks/json_text.h"

namespace elmo {
namespace {

constexpr std::size_t kConlluColumns = 10;
constexpr std::size_t kFormColumn = 2;

template <typename Value, typename Text>
std::string list(const std::vector<Value>& values, const Text& text) {
  std::string json = "[";
  for (const Value& value : values) json += (json.size() > 1 ? ", " : "") + text(value);
  return json + "]";
}

}  // namespace

PredictionText::PredictionText(PredictionFormat format, std::vector<std::string> labels,
                               std::size_t column)
    : format_(format),
      labels_(std::move(labels)),
      column_(column),
      spans_(span_scheme(labels_).has_value()) {}

std::string PredictionText::text_of(const Sentence& sentence, const TaskPrediction& prediction) {
  if (format_ == PredictionFormat::jsonl) return record(sentence, prediction);
  std::string text;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    const std::string& label = labels_[static_cast<std::size_t>(prediction.labels[token])];
    if (format_ == PredictionFormat::columns) {
      text.append(sentence.token(token)).append("\t").append(label).append("\n");
      continue;
    }
    text += std::to_string(token + 1);
    for (std::size_t column = 2; column <= kConlluColumns; ++column) {
      text += '\t';
      if (column == kFormColumn) {
        text += sentence.token(token);
      } else {
        text += column == column_ ? label : "_";
      }
    }
    text += '\n';
  }
  return text + '\n';
}

std::string PredictionText::record(const Sentence& sentence, const TaskPrediction& prediction) {
  std::string json;
  append_sentence(json, sentence, number_++);
  append_spans(json, sentence);
  std::vector<std::string> names;
  for (const std::int32_t label : prediction.labels) {
    names.push_back(labels_[static_cast<std::size_t>(label)]);
  }
  json += R"(, "labels": )" + list(names, [](const std::string& name) { return json_text(name); });
  json +=
      R"(, "scores": )" + list(prediction.scores, [](float score) { return json_number(score); });
  if (spans_) {
    json += R"(, "entities": )" + list(spans_of(names), [&](const LabelSpan& span) {
              const float score = *std::min_element(
                  prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.begin),
                  prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.end));
              return R"({"type": )" + json_text(span.type) + R"(, "begin": )" +
                     json_number(span.begin) + R"(, "end": )" + json_number(span.end) +
                     R"(, "span": [)" + json_number(sentence.spans()[span.begin].begin) + ", " +
                     json_number(sentence.spans()[span.end - 1].end) + R"(], "score": )" +
                     json_number(score) + "}";
            });
  }
  return json + "}\n";
}

}  // namespace elmo
