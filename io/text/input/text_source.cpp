#include "io/text/input/text_source.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/formats/jsonl_reader.h"
#include "io/text/formats/line_reader.h"
#include "io/text/input/input_range.h"

namespace elmo {

std::unique_ptr<FormatReader> make_format_reader(ByteWindow& window, const std::string& name,
                                                 std::shared_ptr<const Document> document,
                                                 ReadingContext& context,
                                                 const TextStretch& stretch) {
  switch (context.options.format) {
    case InputFormat::text:
      return make_raw_text_reader(window, name, std::move(document), context, stretch);
    case InputFormat::tokens:
      return std::make_unique<LineReader>(LineTokens::white_space, window, name,
                                          std::move(document), context, stretch);
    case InputFormat::jsonl:
      return std::make_unique<JsonlReader>(window, name, context, stretch);
    case InputFormat::conllu:
      return std::make_unique<ConlluReader>(window, name, context);
  }
  return nullptr;
}

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

namespace {

/// Minimum distance of positions: the text read again from one takes milliseconds.
constexpr std::uint64_t kPositionBytes = std::uint64_t{64} << 10;

}  // namespace

FileSequence::FileSequence(const InputRange& range, std::unique_ptr<ByteSource> bytes,
                           ReadingContext& context, const Waiting& waiting)
    : range_(range),
      bytes_(std::move(bytes)),
      context_(context),
      waiting_(waiting),
      has_positions_(range.total_bytes().has_value()) {}

void FileSequence::begin_at(const TextPosition& position) {
  next_file_ = position.file;
  begin_ = UnitBegin{position.offset, position.line};
  context_.counters = position.counters;
  bytes_before_ = position.counters.bytes;
  first_file_documents_ = position.first_file_documents;
  for (std::size_t file = 0; file < next_file_; ++file) {
    stored_bytes_before_ += range_.bytes(file).value();
  }
  last_position_ = stored_bytes_before_ + position.offset - range_.stretch(next_file_).begin;
  stored_bytes_read_ = *last_position_;
}

bool FileSequence::next(Sentence& sentence, std::optional<TextPosition>& position) {
  position.reset();
  for (;;) {
    sentence.clear();
    if (file_) {
      if (file_->next(sentence)) break;
      close();
    }
    if (!open_next()) return false;
  }
  context_.counters.bytes = bytes_before_ + file_->bytes_read();
  if (has_positions_) position = position_of(sentence);
  return true;
}

std::string_view FileSequence::peek(std::size_t size) {
  if (!file_ && !open_next()) return {};
  return file_->peek(size);
}

bool FileSequence::open_next() {
  if (next_file_ == range_.size()) return false;
  if (waiting_.is_stopped()) throw ReadingStopped("stopped before the end of the input");
  FileStretch stretch = range_.stretch(next_file_);
  const UnitBegin begin = begin_.value_or(UnitBegin{stretch.begin});
  file_.emplace(std::move(stretch), begin, std::move(bytes_), context_, waiting_,
                stored_bytes_read_);
  begin_.reset();
  ++next_file_;
  return true;
}

void FileSequence::close() {
  bytes_before_ += file_->bytes_read();
  context_.counters.bytes = bytes_before_;
  stored_bytes_before_ += range_.bytes(next_file_ - 1).value_or(0);
  line_feeds_ = file_->line_feeds();
  if (next_file_ == 1) first_file_documents_ = context_.counters.documents;
  file_.reset();
}

/// Returns the position of the sentence just read, if it has one.
std::optional<TextPosition> FileSequence::position_of(const Sentence& sentence) {
  const UnitBegin* const unit = file_->unit();
  if (unit == nullptr) return std::nullopt;
  const FileStretch& stretch = file_->stretch();
  const std::uint64_t stored = stored_bytes_before_ + unit->offset - stretch.begin;
  if (last_position_ && stored < *last_position_ + kPositionBytes) return std::nullopt;
  if (unit->offset != stretch.begin && file_->is_compressed()) return std::nullopt;
  last_position_ = stored;
  TextPosition position{next_file_ - 1, unit->offset, unit->line, unit->counters,
                        first_file_documents_};
  position.counters.documents = sentence.document->number;
  return position;
}

PartCounts FileSequence::part_counts() const {
  PartCounts counts;
  counts.files = range_.size();
  counts.documents = context_.counters.documents;
  if (range_.size() == 0) return counts;
  counts.begins_inside = range_.begins_inside();
  counts.continues_document = counts.begins_inside && is_file_a_document(context_.options.format);
  counts.first_file_documents = counts.begins_inside ? first_file_documents_ : 0;
  counts.ends_inside = range_.ends_inside();
  counts.lines = counts.ends_inside ? line_feeds_ : 0;
  return counts;
}

namespace {

std::uint64_t count_byte_order_marks(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kByteOrderMark); at != std::string_view::npos;
       at = text.find(kByteOrderMark, at + kByteOrderMark.size())) {
    ++count;
  }
  return count;
}

}  // namespace

TextSource::TextSource(const InputOptions& options, InputRange range,
                       std::unique_ptr<ByteSource> bytes)
    : context_{static_cast<const FormatOptions&>(options)},
      waiting_{options.stop},
      range_(std::move(range)),
      total_bytes_(range_.total_bytes()),
      files_(range_, std::move(bytes), context_, waiting_) {}

bool TextSource::next(Sentence& sentence) {
  std::swap(sentence, last_.sentence);  // to reuse its memory
  const bool found = ahead_.next(last_, [this](Read& to) { return read(to); });
  std::swap(sentence, last_.sentence);
  if (found && sentence.size() == 0) ++context_.counters.empty_sentences;
  if (found) context_.byte_order_marks += count_byte_order_marks(sentence.characters());
  return found;
}

bool TextSource::next_would_wait() {
  return ahead_.would_wait(waiting_, [this](Read& to) { return read(to); });
}

std::string_view TextSource::peek(std::size_t least, std::size_t most) {
  files_.peek(least);
  waiting_.allowed = false;
  try {
    files_.peek(most);
  } catch (const WouldWait&) {
  }
  waiting_.allowed = true;
  return files_.peek(0);
}

std::optional<TextPosition> TextSource::take_position() {
  return std::exchange(last_.position, std::nullopt);
}

InputCounters TextSource::counters() const {
  return {context_.counters,    left_out_.count,      left_out_.first,
          context_.utf16_files, context_.first_utf16, context_.byte_order_marks};
}

void TextSource::begin_at(const TextPosition& position, const std::string& text_hash) {
  if (hash_before(position) != text_hash) {
    throw InputError(range_.stretch(position.file).path + ": the text before byte " +
                     std::to_string(position.offset) +
                     " is another one than it was: its sentences are not those that are published "
                     "already; give the same input to resume the run");
  }
  files_.begin_at(position);
}

std::string TextSource::hash_before(const TextPosition& position) const {
  return range_.hash_before(position.file, position.offset);
}

std::unique_ptr<TextSource> open_source(const InputOptions& options) {
  LeftOut left_out;
  FileList files = list_input_files(options.files, &left_out, options.written);
  InputRange range =
      options.part ? range_of_part(std::move(files), options) : InputRange(std::move(files));
  std::unique_ptr<TextSource> source(new TextSource(options, std::move(range), nullptr));
  source->left_out_ = std::move(left_out);
  return source;
}

std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes) {
  FileList files;
  files.add(name, std::nullopt);
  return std::unique_ptr<TextSource>(
      new TextSource(options, InputRange(std::move(files)), std::move(bytes)));
}

}  // namespace elmo
