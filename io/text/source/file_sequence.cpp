#include "io/text/source/file_sequence.h"

#include <utility>

#include "core/inference/sentence.h"
#include "io/text/formats/make_reader.h"

namespace elmo {
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

}  // namespace elmo
