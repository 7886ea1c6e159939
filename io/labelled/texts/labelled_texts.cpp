#include "io/labelled/texts/labelled_texts.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/labelled/texts/text_records.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/decompress.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/source/read_ahead.h"

namespace elmo {
namespace {

bool is_named_jsonl(std::string_view name) {
  if (compression_of_name(name)) name = name.substr(0, name.rfind('.'));
  return name.ends_with(".jsonl");
}

/// Whether the first thing that is not white space begins a JSON object.
bool begins_like_jsonl(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t at = 0; at < kLookedAt && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return byte == '{';
  }
  return false;
}

FormatOptions segmented(const std::string& locale) {
  FormatOptions options;
  options.format = InputFormat::text;
  options.locale = locale;
  return options;
}

/// A file, from its first byte on.
class LabelledTextFile : public LabelledSource {
 public:
  LabelledTextFile(const LabelledTextInput& input, std::unique_ptr<ByteSource> bytes)
      : name_(input.file),
        labelled_(input.labelled),
        waiting_{input.stop},
        context_(segmented(input.locale)),
        window_(bytes ? std::move(bytes) : open_file(name_, bytes_read_, waiting_)) {
    pass_over_byte_order_mark(window_, name_);
    const TextRecordShape shape{input.pairs ? std::size_t{2} : std::size_t{1}, input.labelled,
                                input.label_column};
    if (is_named_jsonl(name_) || begins_like_jsonl(window_)) {
      reader_ = std::make_unique<TextJsonLines>(window_, context_, shape);
    } else {
      reader_ = std::make_unique<TextLines>(window_, name_, context_, shape);
    }
  }

  bool next(Sentence& sentence) override {
    const bool read = next(kept_);
    std::swap(sentence, kept_.sentence);
    return read;
  }

  bool next(LabelledSentence& labelled) override {
    labelled.sentence.clear();
    labelled.labels.clear();
    if (texts_left_ == 0) {
      if (!ahead_.next(record_, [this](TextRecord& to) { return read(to); })) return false;
      texts_left_ = record_.texts.size();
    }
    std::swap(labelled.sentence, record_.texts[record_.texts.size() - texts_left_]);
    --texts_left_;
    if (labelled_) labelled.labels.push_back(record_.label);
    return true;
  }

  bool next_would_wait() override {
    return texts_left_ == 0 &&
           ahead_.would_wait(waiting_, [this](TextRecord& to) { return read(to); });
  }

  void stop_waiting() override { waiting_.stopped = true; }

  const std::string& name() const override { return name_; }

 private:
  bool read(TextRecord& record) {
    try {
      if (reader_->next(record)) return has_texts_ = true;
      if (!has_texts_ && labelled_) {
        throw InputError("found no text; expected texts with a label each");
      }
    } catch (const InputError& error) {
      throw InputError(name_ + ": " + error.what());
    }
    return false;
  }

  std::string name_;
  bool labelled_;
  Waiting waiting_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  ReadingContext context_;
  ByteWindow window_;
  std::unique_ptr<TextRecordReader> reader_;
  ReadAhead<TextRecord> ahead_;
  TextRecord record_;
  std::size_t texts_left_ = 0;  // of the record, not given yet
  bool has_texts_ = false;
  LabelledSentence kept_;  // what next(Sentence&) reads
};

}  // namespace

std::unique_ptr<LabelledSource> open_labelled_texts(const LabelledTextInput& input,
                                                    std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<LabelledTextFile>(input, std::move(bytes));
}

}  // namespace elmo
