#include "io/task/labelled_texts.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/task/text_records.h"
#include "io/text/byte_order_mark.h"
#include "io/text/decompress.h"
#include "io/text/file_bytes.h"

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

InputOptions segmented(const std::string& locale) {
  InputOptions options;
  options.format = InputFormat::text;
  options.locale = locale;
  return options;
}

/// A file, from its first byte on.
class LabelledTextFile : public LabelledSource {
 public:
  LabelledTextFile(const LabelledTextInput& input, std::unique_ptr<ByteSource> bytes)
      : name_(input.file),
        waiting_{input.stop},
        context_(segmented(input.locale)),
        window_(bytes ? std::move(bytes) : open_file(name_, bytes_read_, waiting_)) {
    pass_over_byte_order_mark(window_, name_);
    const std::size_t texts = input.pairs ? 2 : 1;
    if (is_named_jsonl(name_) || begins_like_jsonl(window_)) {
      reader_ = std::make_unique<TextJsonLines>(window_, context_, texts);
    } else {
      reader_ = std::make_unique<TextLines>(window_, name_, context_, texts);
    }
  }

  bool next(Sentence& sentence) override {
    const bool read = next(labelled_);
    std::swap(sentence, labelled_.sentence);
    return read;
  }

  bool next(LabelledSentence& labelled) override {
    labelled.sentence.clear();
    labelled.labels.clear();
    if (next_text_ == record_.texts.size() && !next_record()) return false;
    std::swap(labelled.sentence, record_.texts[next_text_++]);
    labelled.labels.push_back(record_.label);
    return true;
  }

  const std::string& name() const override { return name_; }

 private:
  bool next_record() {
    next_text_ = 0;
    try {
      if (reader_->next(record_)) return has_texts_ = true;
      record_.texts.clear();
      if (!has_texts_) throw InputError("found no text; expected texts with a label each");
    } catch (const InputError& error) {
      throw InputError(name_ + ": " + error.what());
    }
    return false;
  }

  std::string name_;
  Waiting waiting_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  ReadingContext context_;
  ByteWindow window_;
  std::unique_ptr<TextRecordReader> reader_;
  TextRecord record_;
  std::size_t next_text_ = 0;  // of the record's
  bool has_texts_ = false;
  LabelledSentence labelled_;  // what next(Sentence&) reads
};

}  // namespace

std::unique_ptr<LabelledSource> open_labelled_texts(const LabelledTextInput& input) {
  return std::make_unique<LabelledTextFile>(input, nullptr);
}

std::unique_ptr<LabelledSource> open_labelled_texts(const LabelledTextInput& input,
                                                    std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<LabelledTextFile>(input, std::move(bytes));
}

}  // namespace elmo
