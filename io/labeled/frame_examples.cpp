#include "io/labeled/frame_examples.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/files/descriptor.h"
#include "io/json/json.h"
#include "io/labeled/frame_reader.h"
#include "io/labeled/opened_file.h"

namespace elmo {
namespace {

FormatOptions given_tokens(const ExampleInput& input) {
  FormatOptions options;
  options.format = InputFormat::tokens;
  options.strict = input.strict;
  options.skip_bad_records = input.skip_bad_records;
  return options;
}

/// A group with one record, or none if the sentence has no token.
ExampleGroup group_of(Sentence sentence, std::vector<std::int32_t> given) {
  ExampleGroup group;
  if (sentence.size() > 0) {
    TaskRecord& record = group.records.emplace_back();
    record.texts = {0};
    record.given = std::move(given);
  }
  group.texts.push_back(std::move(sentence));
  return group;
}

class FrameExamples final : public ExampleSource {
 public:
  FrameExamples(const ExampleInput& input, std::unique_ptr<ByteSource> bytes, LabelSet& labels)
      : file_(input.file, given_tokens(input), input.stop, std::move(bytes)),
        labeled_(input.labeled),
        labels_(labels) {
    const FrameReading reading{file_.window, file_.context, file_.name, labeled_};
    reader_ = begins_with_object(file_.window) ? frame_records(reading) : frame_columns(reading);
  }

  bool next(ExampleGroup& group) override {
    FramedSentence framed;
    if (!read(framed)) return false;
    group = group_of(std::move(framed.sentence), std::move(framed.given));
    for (TaskRecord& record : group.records) {
      for (const std::string& label : framed.labels) record.labels.push_back(labels_.add(label));
    }
    return true;
  }

  ExampleCounters counters() const override { return counters_of(file_); }
  const std::string& name() const override { return file_.name; }

 private:
  bool read(FramedSentence& framed) {
    return name_errors(file_.name, [&] {
      if (reader_->next(framed)) {
        has_frames_ = has_frames_ || !framed.given.empty();
        return true;
      }
      if (labeled_ && !has_frames_) {
        throw InputError("found no frame; expected sentences with the frames of their predicates");
      }
      return false;
    });
  }

  OpenedFile file_;
  bool labeled_;
  LabelSet& labels_;
  std::unique_ptr<FrameReader> reader_;
  bool has_frames_ = false;
};

}  // namespace

std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input, LabelSet& labels) {
  return open_srl_examples(input, nullptr, labels);
}

std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input,
                                                 std::unique_ptr<ByteSource> bytes,
                                                 LabelSet& labels) {
  return std::make_unique<FrameExamples>(input, std::move(bytes), labels);
}

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
