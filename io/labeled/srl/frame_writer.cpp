#include "io/labeled/srl/frame_writer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/json/json_text.h"

namespace elmo {
namespace {

struct PredictedFrame {
  std::int32_t predicate = 0;
  std::vector<std::string> tags;
};

template <typename Values, typename Text>
std::string json_list(const Values& values, const Text& text) {
  std::string json = "[";
  for (const auto& value : values) json += (json.size() > 1 ? ", " : "") + text(value);
  return json + "]";
}

std::string frames_record(const Sentence& sentence, const std::vector<PredictedFrame>& frames) {
  std::vector<std::string> tokens;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    tokens.emplace_back(sentence.token(token));
  }
  const auto quoted = [](const std::string& text) { return json_text(text); };
  return R"({"tokens": )" + json_list(tokens, quoted) + R"(, "frames": )" +
         json_list(frames,
                   [&](const PredictedFrame& frame) {
                     return R"({"predicate": )" + std::to_string(frame.predicate) +
                            R"(, "tags": )" + json_list(frame.tags, quoted) + "}";
                   }) +
         "}\n";
}

/// The cell (ROLE*, *, *) of each token.
std::vector<std::string> bracketed(const std::vector<std::string>& tags) {
  std::vector<std::string> cells(tags.size(), "*");
  for (const LabelSpan& span : spans_of(tags)) {
    cells[span.begin].insert(0, "(" + span.type);
    cells[span.end - 1] += ")";
  }
  return cells;
}

std::string frames_columns(const Sentence& sentence, std::vector<PredictedFrame> frames) {
  std::ranges::sort(frames, {}, &PredictedFrame::predicate);
  const auto twice = std::ranges::adjacent_find(frames, {}, &PredictedFrame::predicate);
  if (twice != frames.end()) {
    const auto token = static_cast<std::size_t>(twice->predicate);
    throw InputError("line " + std::to_string(sentence.line_of(token)) +
                     ": found two frames of token " + std::to_string(token) +
                     "; expected one of each predicate, which columns can hold");
  }
  std::vector<std::string> lines(sentence.size(), "-");
  for (const PredictedFrame& frame : frames) {
    const auto token = static_cast<std::size_t>(frame.predicate);
    lines[token] = sentence.token(token) == "-" ? "_" : sentence.token(token);
    // White space separates columns, and "-" is not a predicate.
    std::ranges::replace_if(
        lines[token], [](char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }, '_');
  }
  for (const PredictedFrame& frame : frames) {
    const std::vector<std::string> cells = bracketed(frame.tags);
    for (std::size_t token = 0; token < lines.size(); ++token) lines[token] += '\t' + cells[token];
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text + '\n';
}

class FrameWriter final : public PredictionWriter {
 public:
  FrameWriter(PredictionFormat format, std::vector<std::string> labels)
      : columns_(format == PredictionFormat::columns), labels_(std::move(labels)) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    const Sentence& sentence = group.texts.front();
    std::vector<PredictedFrame> frames;
    if (!group.records.empty()) frames = frames_of(group.records.front(), predictions.front());
    return columns_ ? frames_columns(sentence, std::move(frames)) : frames_record(sentence, frames);
  }

 private:
  std::vector<PredictedFrame> frames_of(const TaskRecord& record,
                                        const TaskPrediction& prediction) const {
    const bool found = !record.given.empty() && record.given.front() < 0;
    const std::vector<std::int32_t>& predicates = found ? prediction.found : record.given;
    std::vector<PredictedFrame> frames;
    auto label = prediction.labels.begin();
    for (const std::int32_t predicate : predicates) {
      PredictedFrame& frame = frames.emplace_back();
      frame.predicate = predicate;
      const auto tokens = prediction.labels.size() / predicates.size();
      for (std::size_t token = 0; token < tokens; ++token) {
        frame.tags.push_back(labels_[static_cast<std::size_t>(*label++)]);
      }
    }
    return frames;
  }

  bool columns_;
  std::vector<std::string> labels_;
};

}  // namespace

std::unique_ptr<PredictionWriter> srl_writer(PredictionFormat format,
                                             std::vector<std::string> labels) {
  if (format != PredictionFormat::jsonl && format != PredictionFormat::columns) {
    throw RequestError("frames are written as jsonl or columns; found " +
                       std::string(kPredictionFormats.word(format)));
  }
  return std::make_unique<FrameWriter>(format, std::move(labels));
}

}  // namespace elmo
