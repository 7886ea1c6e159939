#include "io/labeled/srl/frame_examples.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "io/files/name_errors.h"
#include "io/labeled/common/json_begin.h"
#include "io/labeled/common/opened_file.h"
#include "io/labeled/srl/frame_reader.h"
#include "io/text/source/read_ahead.h"

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
    if (!ahead_.next(framed, [this](FramedSentence& to) { return read(to); })) return false;
    group = group_of(std::move(framed.sentence), std::move(framed.given));
    for (TaskRecord& record : group.records) {
      for (const std::string& label : framed.labels) record.labels.push_back(labels_.add(label));
    }
    return true;
  }

  bool next_would_wait() override {
    return ahead_.would_wait(file_.waiting, [this](FramedSentence& to) { return read(to); });
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
  ReadAhead<FramedSentence> ahead_;
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

}  // namespace elmo
