#include "io/text/text_source.h"

#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include <array>
#include <exception>
#include <utility>

#include "io/text/byte_order_mark.h"
#include "io/text/byte_window.h"
#include "io/text/conllu_reader.h"
#include "io/text/file_bytes.h"
#include "io/text/format_reader.h"
#include "io/text/input_files.h"
#include "io/text/jsonl_reader.h"
#include "io/text/line_reader.h"
#include "io/text/locale.h"

namespace elmo {
namespace {

/// The sentences of one file after the other, or of bytes at hand.
class SequenceSource : public TextSource {
 public:
  explicit SequenceSource(const InputOptions& options) : context_(options) {
    std::vector<std::string> left_out;
    files_ = list_input_files(options.files, &left_out);
    context_.counters.left_out = left_out.size();
    if (!left_out.empty()) context_.counters.first_left_out = left_out.front();
    total_bytes_ = 0;
    for (const InputFile& file : files_) {
      if (file.size) {
        *total_bytes_ += *file.size;
      } else {
        total_bytes_.reset();
        break;
      }
    }
  }
  SequenceSource(const InputOptions& options, std::string name, std::unique_ptr<ByteSource> bytes)
      : context_(options), files_{{std::move(name), std::nullopt}}, bytes_(std::move(bytes)) {}

  bool next(Sentence& sentence) override {
    if (!read_ahead_) {
      has_sentence_ = read(sentence);
    } else {
      read_ahead_ = false;
      if (error_ahead_) std::rethrow_exception(error_ahead_);
      std::swap(sentence, sentence_ahead_);
    }
    if (!has_sentence_) return false;
    if (sentence.size() == 0) ++context_.counters.empty_sentences;
    context_.counters.bytes = bytes_of_former_files_ + window_->bytes_read();
    return true;
  }

  // Tries to read the next sentence and keeps it: so the same code decides where it ends, whether
  // or not this was asked.
  bool next_would_wait() override {
    if (read_ahead_) return false;
    waiting_.allowed = false;
    try {
      has_sentence_ = read(sentence_ahead_);
      read_ahead_ = true;
    } catch (const WouldWait&) {
    } catch (...) {
      error_ahead_ = std::current_exception();
      read_ahead_ = true;
    }
    waiting_.allowed = true;
    return !read_ahead_;
  }

  const InputCounters& counters() const override { return context_.counters; }

  InputProgress progress() const override { return {stored_bytes_read_, total_bytes_}; }

 private:
  /// After WouldWait, goes on where it was.
  bool read(Sentence& sentence) {
    for (;;) {
      sentence.clear();
      if (reader_ && reader_->next(sentence)) return true;
      if (reader_) close_file();
      if (!begin_file()) return false;
    }
  }

  void close_file() {
    bytes_of_former_files_ += window_->bytes_read();
    context_.counters.bytes = bytes_of_former_files_;
    reader_.reset();
    window_.reset();
  }

  /// Makes the reader of the next file that has text; false if there is none.
  bool begin_file() {
    while (window_ || open_next_file()) {
      const std::string& name = files_[next_file_ - 1].path;
      pass_over_byte_order_mark(*window_, name);
      if (window_->fill(1)) {
        reader_ = make_reader(name);
        return true;
      }
      if (context_.options.format != InputFormat::jsonl) context_.begin_document(name);
      ++context_.counters.empty_files;
      close_file();
    }
    return false;
  }

  bool open_next_file() {
    if (next_file_ == files_.size()) return false;
    if (waiting_.stop != nullptr && *waiting_.stop) {
      throw ReadingStopped("stopped before the end of the input");
    }
    const std::string& name = files_[next_file_].path;
    window_.emplace(bytes_ ? std::move(bytes_) : open_file(name, stored_bytes_read_, waiting_));
    ++next_file_;
    return true;
  }

  std::unique_ptr<FormatReader> make_reader(const std::string& name) {
    switch (context_.options.format) {
      case InputFormat::text:
        return make_raw_text_reader(*window_, name, context_.begin_document(name), context_);
      case InputFormat::tokens:
        return std::make_unique<LineReader>(LineTokens::white_space, *window_, name,
                                            context_.begin_document(name), context_);
      case InputFormat::jsonl:
        return std::make_unique<JsonlReader>(*window_, name, context_);
      case InputFormat::conllu:
        return std::make_unique<ConlluReader>(*window_, name, context_);
    }
    return nullptr;
  }

  ReadingContext context_;
  Waiting waiting_{context_.options.stop};
  std::vector<InputFile> files_;
  std::unique_ptr<ByteSource> bytes_;  // of the only file, if they need no opening
  std::size_t next_file_ = 0;
  std::optional<ByteWindow> window_;
  std::unique_ptr<FormatReader> reader_;
  std::uint64_t bytes_of_former_files_ = 0;
  std::atomic<std::uint64_t> stored_bytes_read_ = 0;
  std::optional<std::uint64_t> total_bytes_;

  // What next_would_wait() has read and next() has not handed out: a sentence, the end or an error.
  bool read_ahead_ = false;
  Sentence sentence_ahead_;
  bool has_sentence_ = false;  // else the end; of what was read last
  std::exception_ptr error_ahead_;
};

std::string dotted(const UVersionInfo& version) {
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace

std::unique_ptr<TextSource> open_source(const InputOptions& options) {
  return std::make_unique<SequenceSource>(options);
}

std::unique_ptr<TextSource> open_source(const InputOptions& options, std::string name,
                                        std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<SequenceSource>(options, std::move(name), std::move(bytes));
}

TokenizerDescription describe_tokenizer(const InputOptions& options) {
  TokenizerDescription description;
  description.revision = kTokenizerRevision;
  if (!is_segmented(options.format)) {
    description.name = options.format == InputFormat::conllu ? "conllu" : "white-space";
    return description;
  }
  description.name = options.lines ? "icu-lines" : "icu";
  UVersionInfo version;
  u_getVersion(version);
  description.icu_version = dotted(version);
  u_getUnicodeVersion(version);
  description.unicode_version = dotted(version);
  description.locale = canonical_locale(options.locale);
  return description;
}

std::string to_string(const TokenizerDescription& description) {
  std::string text = description.name;
  if (!description.icu_version.empty()) {
    text += " " + description.icu_version + ", Unicode " + description.unicode_version +
            ", locale " + description.locale;
  }
  return text + ", rules " + std::to_string(description.revision);
}

}  // namespace elmo
