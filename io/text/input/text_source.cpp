#include "io/text/input/text_source.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/text/bytes/encoding.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/formats/readers.h"
#include "io/text/input/odd_content.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Minimum distance of positions: the text read again from one takes milliseconds.
constexpr std::uint64_t kPositionBytes = std::uint64_t{64} << 10;

/// Returns the reader of the context's format for a file, or a stretch of one, that is not empty.
std::unique_ptr<FormatReader> make_format_reader(const TextInput& input) {
  switch (input.context.options.format) {
    case InputFormat::text:
      return make_raw_text_reader(input);
    case InputFormat::tokens:
      return make_line_reader(LineTokens::white_space, input);
    case InputFormat::jsonl:
      return make_jsonl_reader(input);
    case InputFormat::conllu:
      return std::make_unique<ConlluReader>(input);
    case InputFormat::vertical:
      return make_vertical_reader(input);
    case InputFormat::fasta:
      return make_fasta_reader(input);
  }
  return nullptr;
}

std::uint64_t count_byte_order_marks(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kByteOrderMark); at != std::string_view::npos;
       at = text.find(kByteOrderMark, at + kByteOrderMark.size())) {
    ++count;
  }
  return count;
}

}  // namespace

/// Reads the files of a range in order. A file without any text has no sentence, but is counted
/// and, if documents are files, is a document. A text without any token has one sentence without
/// tokens. One thread at a time.
class TextSource::Files final : public SentenceSource {
 public:
  /// `bytes`, if given, are the content of the only file; otherwise the files are opened. `range`
  /// must outlive this object.
  Files(const InputOptions& options, const InputRange& range, std::unique_ptr<ByteSource> bytes,
        const ReadingControl& control)
      : context{static_cast<const FormatOptions&>(options)},
        state{control.stop},
        range_(range),
        through_(control.through),
        bytes_(std::move(bytes)) {}

  /// Starts at `position`, which must be in the range. Call it before reading.
  void begin_at(const ResumePosition& position) {
    next_file_ = position.file;
    begin_ = UnitBegin{position.offset, position.line};
    context.counters = position.counters;
    bytes_before_ = position.counters.bytes;
    first_file_documents_ = position.first_file_documents;
    for (std::size_t file = 0; file < next_file_; ++file) {
      stored_bytes_before_ += range_.bytes(file).value();
    }
    last_position_ = stored_bytes_before_ + position.offset - range_.stretch(next_file_).begin;
    state.bytes = *last_position_;
  }

  /// Throws ReadingStopped before it opens another file.
  bool next(Sentence& sentence) override {
    do {
      sentence.clear();
      if (file_) {
        if (read(sentence)) {
          context.counters.bytes = bytes_before_ + file_->window.bytes_read();
          if (sentence.size() == 0) ++context.counters.empty_sentences;
          context.counters.byte_order_marks += count_byte_order_marks(sentence.characters());
          return true;
        }
        close();
      }
    } while (open_next());
    return false;
  }

  /// Returns the position of the last sentence if it has one: the sentence must begin the stretch
  /// or, in an uncompressed file, a unit of it. Sets only the members that follow from the text.
  std::optional<ResumePosition> position() {
    const UnitBegin* const unit = file_->is_first ? &file_->first_unit : file_->reader->unit();
    if (unit == nullptr) return std::nullopt;
    if (!file_->is_first && unit->offset == file_->first_unit_offset) return std::nullopt;
    const FileStretch& stretch = file_->stretch;
    // The file has grown since it was listed.
    if (unit->offset - stretch.begin > *range_.bytes(next_file_ - 1)) return std::nullopt;
    const std::uint64_t stored = stored_bytes_before_ + unit->offset - stretch.begin;
    if (last_position_ && stored < *last_position_ + kPositionBytes) return std::nullopt;
    if (unit->offset != stretch.begin) {
      if (!file_->compressed) file_->compressed = is_compressed(stretch.path);
      if (*file_->compressed) return std::nullopt;
    }
    last_position_ = stored;
    ResumePosition position{next_file_ - 1, unit->offset, unit->line, unit->counters,
                            first_file_documents_};
    position.counters.odd_files = {};
    position.counters.byte_order_marks = position.counters.hardly_known_tokens = 0;
    position.counters.html_entities = position.counters.html_tags = 0;
    return position;
  }

  std::string_view peek(std::size_t least, std::size_t most) {
    if (!file_ && !open_next()) return {};
    file_->window.fill(least);
    file_->window.fill_without_waiting(most);
    return file_->window.view();
  }

  /// Returns the counts of the part that the range is, once it has been read to its end.
  PartCounts part_counts() const {
    PartCounts counts;
    counts.files = range_.size();
    counts.documents = context.counters.documents;
    if (range_.size() == 0) return counts;
    counts.begins_inside = range_.begins_inside();
    counts.continues_document =
        counts.begins_inside && traits_of(context.options.format).file_is_document;
    counts.first_file_documents = counts.begins_inside ? first_file_documents_ : 0;
    counts.ends_inside = range_.ends_inside();
    counts.lines = counts.ends_inside ? line_feeds_ : 0;
    return counts;
  }

  ReadingContext context;
  ReadState state;

 private:
  /// The file that is being read.
  struct File {
    File(FileStretch file_stretch, const UnitBegin& begin, std::unique_ptr<ByteSource> bytes,
         Files& files)
        : stretch(std::move(file_stretch)),
          first_line(begin.line),
          line_feeds(begin.line - 1),
          window(bytes ? std::move(bytes) : files.open(stretch, begin.offset, line_feeds),
                 begin.offset),
          first_unit{stretch.begin, 1, files.context.counters},
          any_sentence(begin.offset != stretch.begin) {}

    FileStretch stretch;
    std::uint64_t first_line;
    std::uint64_t line_feeds;  // line feeds of the stretch so far
    ByteWindow window;
    UnitBegin first_unit;
    bool any_sentence;      // some reader has returned one
    bool is_first = false;  // the last sentence is the first of the stretch
    /// Position where the reader began the unit of that sentence: after a byte order mark, blank
    /// lines or bad records, which belong to first_unit.
    std::optional<std::uint64_t> first_unit_offset{};
    std::optional<bool> compressed{};            // set once it has been determined
    std::shared_ptr<const Document> document{};  // set if the file is one document
    std::unique_ptr<FormatReader> reader{};
  };

  std::unique_ptr<ByteSource> open(const FileStretch& stretch, std::uint64_t begin,
                                   std::uint64_t& line_feeds) {
    if (begin == 0 && !stretch.end) {
      std::unique_ptr<ByteSource> bytes = open_file(stretch.path, &state);
      return through_ ? through_(std::move(bytes)) : std::move(bytes);
    }
    return std::make_unique<FileBytes>(FileStretch{stretch.path, begin, stretch.end}, &state,
                                       &line_feeds);
  }

  bool open_next() {
    if (next_file_ == range_.size()) return false;
    if (state.is_stopped()) throw ReadingStopped("stopped before the end of the input");
    FileStretch stretch = range_.stretch(next_file_);
    const UnitBegin begin = begin_.value_or(UnitBegin{stretch.begin});
    file_.emplace(std::move(stretch), begin, std::move(bytes_), *this);
    begin_.reset();
    ++next_file_;
    return true;
  }

  void close() {
    bytes_before_ += file_->window.bytes_read();
    context.counters.bytes = bytes_before_;
    stored_bytes_before_ += range_.bytes(next_file_ - 1).value_or(0);
    line_feeds_ = file_->line_feeds;
    if (next_file_ == 1) first_file_documents_ = context.counters.documents;
    file_.reset();
  }

  /// Reads the next sentence of the file; returns false at its end.
  bool read(Sentence& sentence) {
    if (!file_->reader && !begin_text()) return false;
    if (!file_->reader->next(sentence)) {
      if (file_->any_sentence || !is_blank_to_its_end()) return false;
      sentence.document = file_->document;
      sentence.line = 1;
    }
    file_->is_first = !std::exchange(file_->any_sentence, true);
    if (const UnitBegin* const unit = file_->reader->unit(); unit != nullptr && file_->is_first) {
      file_->first_unit_offset = unit->offset;
    }
    return true;
  }

  /// Creates the file's reader; returns false if the file has no text.
  bool begin_text() {
    const FormatTraits& traits = traits_of(context.options.format);
    const FileStretch& stretch = file_->stretch;
    ByteWindow& window = file_->window;
    const bool is_begin = window.offset() == 0;
    context.begin_file(stretch.path);
    if (is_begin) pass_over_byte_order_mark(window, stretch.path);
    const bool has_text = window.fill(1);
    if (is_begin) count_oddity(window);
    if (traits.file_is_document || (!has_text && !traits.has_records)) {
      file_->document = context.begin_document(stretch.path);
    }
    if (!has_text) {
      ++context.counters.empty_files;
      return false;
    }
    std::string name = stretch.path;
    if (traits.has_records && stretch.begin > 0) {
      // Line numbers count from there.
      name += ", from byte " + std::to_string(stretch.begin) + " on";
    }
    file_->reader = make_format_reader({window, name, context, file_->document, file_->first_line,
                                        stretch.whole() && !file_->any_sentence});
    return true;
  }

  /// Counts the file if its content looks like an Oddity. Looks only at bytes that have arrived.
  void count_oddity(ByteWindow& window) {
    constexpr std::size_t kLookedAt = std::size_t{64} << 10;
    window.fill_without_waiting(kLookedAt);
    context.check_encoding(window.view());
    if (const auto found =
            odd_content(window.view(), file_->stretch.path, context.options.format)) {
      context.count_odd(found->oddity, found->file);
    }
  }

  /// True if no token follows this beginning of a text; reads on until it finds one.
  bool is_blank_to_its_end() {
    const FileStretch& stretch = file_->stretch;
    if (context.options.format != InputFormat::text || context.options.lines) return false;
    if (stretch.begin > 0 || !stretch.end) return false;
    const ReadingCounters counters = context.counters;
    ByteWindow rest(std::make_unique<FileBytes>(FileStretch{stretch.path, *stretch.end}),
                    *stretch.end);
    Sentence sentence;
    const auto reader =
        make_raw_text_reader({rest, stretch.path, context, file_->document, 1, false});
    const bool blank = !reader->next(sentence);
    context.counters = counters;
    return blank;
  }

  const InputRange& range_;
  BytesThrough through_;
  std::unique_ptr<ByteSource> bytes_;
  std::size_t next_file_ = 0;
  std::optional<UnitBegin> begin_;  // in the next file; nothing: its first byte
  std::optional<File> file_;

  // Totals of the earlier files.
  std::uint64_t bytes_before_ = 0;         // decompressed
  std::uint64_t stored_bytes_before_ = 0;  // within the range
  std::uint64_t first_file_documents_ = 0;
  std::uint64_t line_feeds_ = 0;  // line feeds of the last file

  std::optional<std::uint64_t> last_position_;  // its offset in the stored bytes of the range
};

TextSource::TextSource(const InputOptions& options, InputRange range,
                       std::unique_ptr<ByteSource> bytes, const ReadingControl& control,
                       LeftOut left_out)
    : range_(std::move(range)),
      is_part_(options.part.has_value()),
      total_bytes_(range_.total_bytes()),
      left_out_(std::move(left_out)),
      files_(std::make_unique<Files>(options, range_, std::move(bytes), control)),
      cutter_(*files_, options.max_sentence_tokens),
      keep_positions_(options.keep_positions && total_bytes_),
      queue_([this](Read& to) { return read(to); },
             [](const Read& read) { return sizeof(Read) + bytes_of(read.sentence); },
             files_->state.stopped) {
  if (!options.query) return;
  matcher_.emplace(*options.query);
  selecting_.emplace(cutter_, [this](std::string_view token) { return matcher_->matches(token); });
}

TextSource::~TextSource() = default;

bool TextSource::next(Sentence& sentence) {
  std::swap(read_.sentence, sentence);
  if (!queue_.next(read_)) {
    returned_ = counts();  // the thread that reads has ended
    sentence.clear();
    return false;
  }
  std::swap(sentence, read_.sentence);
  returned_ = read_.counts;
  ++sentences_;
  tokens_ += sentence.size();
  return true;
}

/// Called on the thread that reads.
bool TextSource::read(Read& to) {
  const std::uint64_t cut_before = cut_before_ + cutter_.cut_sentences();
  SentenceSource& source = selecting_ ? static_cast<SentenceSource&>(*selecting_) : cutter_;
  if (!source.next(to.sentence)) return false;
  if (keep_positions_) {
    if (std::optional<ResumePosition> position = files_->position()) {
      position->counters.documents = to.sentence.document->number;
      position->sentence = read_sentences_;
      position->tokens = read_tokens_;
      position->cut_sentences = cut_before;
      position->input_hash = hash_.hex();
      positions_.add(*std::move(position));
    }
    hash_.add(to.sentence, read_sentences_, false);
  }
  ++read_sentences_;
  read_tokens_ += to.sentence.size();
  to.counts = counts();
  return true;
}

TextSource::Counts TextSource::counts() const {
  return {files_->context.counters, cut_before_ + cutter_.cut_sentences()};
}

void TextSource::begin_at(const ResumePosition& position) {
  if (range_.hash_before(position.file, position.offset) != position.text_hash) {
    throw InputError(range_.stretch(position.file).path + ": the text before byte " +
                     std::to_string(position.offset) +
                     " has changed: its sentences are not those that are published already; give "
                     "the same input to resume the run");
  }
  files_->begin_at(position);
  cut_before_ = position.cut_sentences;
  hash_ = InputHash(position.input_hash);
  positions_.add(position);
  sentences_ = read_sentences_ = position.sentence;
  tokens_ = position.tokens;
  read_tokens_ = position.tokens;
  returned_ = counts();
}

std::string_view TextSource::peek(std::size_t least, std::size_t most) {
  return files_->peek(least, most);
}

void TextSource::set_tokenizer(const TokenizerSettings& settings) {
  files_->context.set_tokenizer(settings);
}

InputCounters TextSource::counters() const {
  InputCounters counters{returned_.reading, {}, left_out_.count, left_out_.first};
  for (std::size_t oddity = 0; oddity < kOddities; ++oddity) {
    if (counters.odd_files[oddity] == 0) continue;
    // Written once, before a sentence with this count is returned.
    counters.first_odd[oddity] = files_->context.first_odd[oddity];
  }
  return counters;
}

std::optional<PartCounts> TextSource::part_counts() const {
  return is_part_ ? std::optional(files_->part_counts()) : std::nullopt;
}

std::optional<double> TextSource::fraction(double tokens) const {
  const auto tokens_read = static_cast<double>(read_tokens_);
  if (!total_bytes_ || *total_bytes_ == 0 || tokens_read == 0) return std::nullopt;
  const double share_read =
      static_cast<double>(files_->state.bytes) / static_cast<double>(*total_bytes_);
  return std::min(1.0, share_read * tokens / tokens_read);
}

std::optional<ResumePosition> TextSource::position_before(std::uint64_t next) {
  std::optional<ResumePosition> position = positions_.last_before(next);
  if (position) position->text_hash = range_.hash_before(position->file, position->offset);
  return position;
}

std::unique_ptr<TextSource> open_source(const InputOptions& options,
                                        const ReadingControl& control) {
  LeftOut left_out;
  FileList files = list_input_files(options.files, &left_out, control.written);
  InputRange range = options.part ? range_of_part(std::move(files), options, control.stop)
                                  : InputRange(std::move(files));
  return std::make_unique<TextSource>(options, std::move(range), nullptr, control,
                                      std::move(left_out));
}

std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes) {
  FileList files;
  files.add(name, std::nullopt);
  return std::make_unique<TextSource>(options, InputRange(std::move(files)), std::move(bytes));
}

}  // namespace elmo
