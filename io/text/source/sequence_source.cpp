#include "io/text/source/sequence_source.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/text/bytes/byte_order_mark.h"
#include "io/text/bytes/bytes_before.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/free_text_reader.h"
#include "io/text/formats/jsonl_reader.h"
#include "io/text/formats/line_reader.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

/// How far places are apart: what is read again from one is read in milliseconds.
constexpr std::uint64_t kPlaceBytes = std::uint64_t{64} << 10;

std::vector<InputStretch> whole_files(std::vector<InputFile> files) {
  std::vector<InputStretch> stretches;
  stretches.reserve(files.size());
  for (InputFile& file : files) {
    stretches.push_back({std::move(file.path), 0, std::nullopt, file.size});
  }
  return stretches;
}

}  // namespace

SequenceSource::SequenceSource(const InputOptions& options) : context_(options) {
  std::vector<std::string> left_out;
  std::vector<InputFile> files = list_input_files(options.files, &left_out, options.written);
  context_.counters.left_out = left_out.size();
  if (!left_out.empty()) context_.counters.first_left_out = left_out.front();
  stretches_ = options.part ? stretches_of_part(files, options) : whole_files(std::move(files));
  total_bytes_ = 0;
  for (const InputStretch& stretch : stretches_) {
    if (stretch.bytes) {
      *total_bytes_ += *stretch.bytes;
    } else {
      total_bytes_.reset();
      break;
    }
  }
}

SequenceSource::SequenceSource(const InputOptions& options, std::string name,
                               std::unique_ptr<ByteSource> bytes)
    : context_(options),
      stretches_{{std::move(name), 0, std::nullopt, std::nullopt}},
      bytes_(std::move(bytes)) {}

void SequenceSource::begin_at(const TextPlace& place, const std::string& text_hash) {
  if (hash_before(place) != text_hash) {
    throw InputError(stretches_[place.file].path + ": the text before byte " +
                     std::to_string(place.offset) +
                     " is another one than it was: its sentences are not those that are published "
                     "already; give the same input to resume the run");
  }
  begin_ = place;
  next_file_ = place.file;
  first_file_documents_ = place.first_file_documents;
  const InputCounters listed = std::exchange(context_.counters, place.counters);
  context_.counters.left_out = listed.left_out;
  context_.counters.first_left_out = listed.first_left_out;
  bytes_of_former_files_ = place.counters.bytes;
  last_place_offset_ = place.offset;
  stored_bytes_read_ = place.offset - stretches_[next_file_].begin;
  for (std::size_t file = 0; file < next_file_; ++file) {
    stored_bytes_read_ += stretches_[file].bytes.value_or(0);
  }
}

bool SequenceSource::next(Sentence& sentence) {
  if (!read_ahead_) {
    has_sentence_ = read(sentence);
  } else {
    read_ahead_ = false;
    if (error_ahead_) std::rethrow_exception(error_ahead_);
    std::swap(sentence, sentence_ahead_);
  }
  place_ = std::exchange(place_read_, std::nullopt);
  if (!has_sentence_) return false;
  if (sentence.size() == 0) ++context_.counters.empty_sentences;
  if (window_) context_.counters.bytes = bytes_of_former_files_ + window_->bytes_read();
  return true;
}

// Tries to read the next sentence and keeps it: so the same code decides where it ends, whether
// or not this was asked.
bool SequenceSource::next_would_wait() {
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

/// After WouldWait, goes on where it was.
bool SequenceSource::read(Sentence& sentence) {
  for (;;) {
    sentence.clear();
    if (reader_ && reader_->next(sentence)) {
      find_place(sentence);
      any_sentence_ = true;
      return true;
    }
    if (reader_ && finish_file(sentence)) return true;
    if (!begin_file()) return false;
  }
}

/// Ends the file. True where it is a text without any token of which only the beginning is read
/// here: `sentence` is the one that it has.
bool SequenceSource::finish_file(Sentence& sentence) {
  const bool blank = !any_sentence_ && document_ && stretch().begin == 0 && stretch().end &&
                     is_blank_to_its_end(stretch());
  close_file();
  if (!blank) return false;
  sentence.document = std::exchange(document_, nullptr);
  sentence.line = 1;
  return true;
}

/// Whether a text has no token behind a stretch, read until one is found.
bool SequenceSource::is_blank_to_its_end(const InputStretch& stretch) {
  if (context_.options.format != InputFormat::text || context_.options.lines) return false;
  const InputCounters counters = context_.counters;
  std::atomic<std::uint64_t> bytes_read = 0;
  std::uint64_t line_feeds = 0;
  ByteWindow rest(open_stretch({stretch.path, *stretch.end, std::nullopt, std::nullopt}, line_feeds,
                               bytes_read, waiting_),
                  *stretch.end);
  Sentence sentence;
  FreeTextReader reader(rest, stretch.path, document_, context_, {1, false});
  const bool blank = !reader.next(sentence);
  context_.counters = counters;
  return blank;
}

void SequenceSource::close_file() {
  bytes_of_former_files_ += window_->bytes_read();
  context_.counters.bytes = bytes_of_former_files_;
  if (next_file_ == 1) first_file_documents_ = context_.counters.documents;
  reader_.reset();
  window_.reset();
}

/// Makes the reader of the next file that has text; false if there is none.
bool SequenceSource::begin_file() {
  while (window_ || open_next_file()) {
    const std::string& name = stretch().path;
    if (window_->offset() == 0) pass_over_byte_order_mark(*window_, name);
    if (window_->fill(1)) {
      reader_ = make_reader(stretch());
      begin_.reset();
      return true;
    }
    if (context_.options.format != InputFormat::jsonl) context_.begin_document(name);
    ++context_.counters.empty_files;
    close_file();
  }
  return false;
}

bool SequenceSource::open_next_file() {
  if (next_file_ == stretches_.size()) return false;
  if (waiting_.is_stopped()) {
    throw ReadingStopped("stopped before the end of the input");
  }
  InputStretch stretch = stretches_[next_file_];
  line_feeds_ = 0;
  any_sentence_ = false;
  compressed_.reset();
  counters_before_ = context_.counters;
  if (begin_) {
    // What is before was read by somebody else.
    any_sentence_ = begin_->offset != stretch.begin;
    line_feeds_ = begin_->line - 1;
    stretch.begin = begin_->offset;
  }
  if (bytes_) {
    window_.emplace(std::move(bytes_));
  } else if (stretch.whole()) {
    window_.emplace(open_file(stretch.path, stored_bytes_read_, waiting_));
  } else {
    window_.emplace(open_stretch(stretch, line_feeds_, stored_bytes_read_, waiting_),
                    stretch.begin);
  }
  ++next_file_;
  return true;
}

std::unique_ptr<FormatReader> SequenceSource::make_reader(const InputStretch& stretch) {
  const TextStretch text{begin_ ? begin_->line : 1, stretch.whole() && !any_sentence_};
  document_ =
      context_.options.format == InputFormat::text || context_.options.format == InputFormat::tokens
          ? context_.begin_document(stretch.path)
          : nullptr;
  switch (context_.options.format) {
    case InputFormat::text:
      return make_raw_text_reader(*window_, stretch.path, document_, context_, text);
    case InputFormat::tokens:
      return std::make_unique<LineReader>(LineTokens::white_space, *window_, stretch.path,
                                          document_, context_, text);
    case InputFormat::jsonl: {
      // Lines are counted from there.
      const std::string from =
          stretch.begin == 0 ? "" : ", from byte " + std::to_string(stretch.begin) + " on";
      return std::make_unique<JsonlReader>(*window_, stretch.path + from, context_, text);
    }
    case InputFormat::conllu:
      return std::make_unique<ConlluReader>(*window_, stretch.path, context_);
  }
  return nullptr;
}

/// Keeps the place of a sentence just read, where it has one.
void SequenceSource::find_place(const Sentence& sentence) {
  if (!total_bytes_) return;
  TextPlace place;
  if (!any_sentence_) {
    place.offset = stretch().begin;
    place.counters = counters_before_;
  } else {
    const UnitBegin* const unit = reader_->unit();
    if (unit == nullptr || unit->offset < last_place_offset_ + kPlaceBytes) return;
    if (!compressed_) compressed_ = is_compressed(stretch().path);
    if (*compressed_) return;
    place.offset = unit->offset;
    place.line = unit->line;
    place.counters = unit->counters;
  }
  place.file = next_file_ - 1;
  place.counters.documents = sentence.document->number;
  place.first_file_documents = first_file_documents_;
  last_place_offset_ = place.offset;
  place_read_ = std::move(place);
}

void SequenceSource::require_place(const TextPlace& place) const {
  if (place.file < stretches_.size()) {
    const InputStretch& stretch = stretches_[place.file];
    if (place.offset >= stretch.begin && stretch.bytes &&
        place.offset - stretch.begin <= *stretch.bytes) {
      return;
    }
  }
  throw InputError("the input has no byte " + std::to_string(place.offset) + " in file " +
                   std::to_string(place.file) +
                   " (from 0), where it is to be read from; expected the input as it was");
}

std::string SequenceSource::hash_before(const TextPlace& place) const {
  require_place(place);
  return hash_of_bytes_before(stretches_, place.file, place.offset);
}

PartCounts SequenceSource::part_counts() const {
  PartCounts counts;
  counts.files = stretches_.size();
  counts.documents = context_.counters.documents;
  if (stretches_.empty()) return counts;
  const InputFormat format = context_.options.format;
  counts.begins_inside = stretches_.front().begin > 0;
  counts.continues_document =
      counts.begins_inside && (format == InputFormat::text || format == InputFormat::tokens);
  counts.first_file_documents = counts.begins_inside ? first_file_documents_ : 0;
  counts.ends_inside = stretches_.back().end.has_value();
  counts.lines = counts.ends_inside ? line_feeds_ : 0;
  return counts;
}

}  // namespace elmo
