#include "io/text/source/file_reader.h"

#include <string>
#include <utility>

#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/formats/make_reader.h"

namespace elmo {

FileReader::FileReader(FileStretch stretch, const UnitBegin& begin,
                       std::unique_ptr<ByteSource> bytes, ReadingContext& context,
                       const Waiting& waiting, std::atomic<std::uint64_t>& stored_bytes)
    : stretch_(std::move(stretch)),
      context_(context),
      waiting_(waiting),
      stored_bytes_(stored_bytes),
      first_line_(begin.line),
      line_feeds_(begin.line - 1),
      window_(open(std::move(bytes), begin.offset), begin.offset),
      first_unit_{stretch_.begin, 1, context.counters},
      any_sentence_(begin.offset != stretch_.begin) {}

std::unique_ptr<ByteSource> FileReader::open(std::unique_ptr<ByteSource> bytes,
                                             std::uint64_t begin) {
  if (bytes) return bytes;
  if (begin == 0 && !stretch_.end) return open_file(stretch_.path, stored_bytes_, waiting_);
  return std::make_unique<StoredBytes>(FileStretch{stretch_.path, begin, stretch_.end},
                                       stored_bytes_, waiting_, &line_feeds_);
}

bool FileReader::next(Sentence& sentence) {
  if (!reader_ && !begin_text()) return false;
  if (!reader_->next(sentence)) {
    if (any_sentence_ || !is_blank_to_its_end()) return false;
    sentence.document = document_;
    sentence.line = 1;
  }
  is_first_ = !std::exchange(any_sentence_, true);
  return true;
}

/// Creates the reader; returns false if the file has no text.
bool FileReader::begin_text() {
  const InputFormat format = context_.options.format;
  const bool is_begin = window_.offset() == 0;
  if (is_begin) pass_over_byte_order_mark(window_, stretch_.path);
  const bool has_text = window_.fill(1);
  if (const char* encoding = utf16_without_mark(window_.view()); encoding && is_begin) {
    if (++context_.utf16_files == 1) {
      context_.first_utf16 = "iconv -f " + std::string(encoding) + " -t UTF-8 " + stretch_.path;
    }
  }
  if (is_file_a_document(format) || (!has_text && format != InputFormat::jsonl)) {
    document_ = context_.begin_document(stretch_.path);
  }
  if (!has_text) {
    ++context_.counters.empty_files;
    return false;
  }
  std::string name = stretch_.path;
  if (format == InputFormat::jsonl && stretch_.begin > 0) {
    name +=
        ", from byte " + std::to_string(stretch_.begin) + " on";  // line numbers count from there
  }
  reader_ = make_format_reader(window_, name, document_, context_,
                               {first_line_, stretch_.whole() && !any_sentence_});
  return true;
}

bool FileReader::is_compressed() {
  if (!compressed_) compressed_ = elmo::is_compressed(stretch_.path);
  return *compressed_;
}

/// True if this is the beginning of a text whose rest has no token; reads on until it finds one.
bool FileReader::is_blank_to_its_end() {
  if (context_.options.format != InputFormat::text || context_.options.lines) return false;
  if (stretch_.begin > 0 || !stretch_.end) return false;
  const ReadingCounters counters = context_.counters;
  std::atomic<std::uint64_t> bytes_read = 0;
  ByteWindow rest(std::make_unique<StoredBytes>(FileStretch{stretch_.path, *stretch_.end},
                                                bytes_read, waiting_),
                  *stretch_.end);
  Sentence sentence;
  FreeTextReader reader(rest, stretch_.path, document_, context_, {1, false});
  const bool blank = !reader.next(sentence);
  context_.counters = counters;
  return blank;
}

}  // namespace elmo
