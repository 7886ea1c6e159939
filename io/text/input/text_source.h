// Text of any supported format as a source of sentences.
//
// Inputs are files, folders and standard input (see input_files.h). Data that begins like gzip,
// zstd, xz or bzip2 is decompressed. Text is UTF-8. Files that begin with a byte order mark of
// UTF-16 or UTF-32 are refused, and so are archives, images and other files whose signature shows
// that they are not text. An invalid sequence is read as U+FFFD, one for each maximal subpart (The
// Unicode Standard 15, section 3.9), and counted, or refused if `strict`. A byte order mark at the
// beginning of a file is not part of its text, but spans count its bytes.
//
// - text: each file is a document, with the sentences and tokens of its tokenizer
//   (segmenter.h). Paragraphs end at
//   blank lines and at lines too wide to be hard-wrapped (free_text_reader.h). With `lines`, each
//   line is a sentence.
// - tokens: each file is a document and each line a sentence. Tokens are separated by ASCII white
//   space and control characters (bytes 0x00 to 0x20) and by nothing else: a no-break space is part
//   of a token.
// - jsonl: each record, one JSON object per line, is a document; blank lines are skipped. The text
//   field is tokenized like `text`. Spans point into the field's text; `Sentence::line` is the line
//   of the record.
// - conllu: a document extends from one `# newdoc` to the next; a file without any is one document.
//   Tokens are the FORMs of the syntactic words: a multiword token (1-2) is represented by its
//   words, and an empty node (8.1) is skipped.
//
// In all formats except jsonl, spans point into the file (decompressed, before any repair). An
// empty line of `lines` and `tokens`, a blank text and a record with an empty text are a sentence
// of zero tokens. A file without any text, not even a line feed, has no sentence, in every format
// and also as standard input; if documents are files, it still has a document number. No token is
// empty or contains a NUL or invalid UTF-8. `<S>` and `</S>` are ordinary tokens.
//
// Where a sentence ends depends only on the bytes, not on when they arrive. A program that writes a
// sentence and waits for its result must therefore end it unambiguously: by a line end in lines,
// tokens and jsonl, by a blank line in text and conllu. (In text, a line of more than
// kWidestWrappedLine columns also ends a paragraph, but a shorter one may continue in the next
// line.)
//
// Memory is bounded. A sentence of more than kMaxSentenceBytes is cut, at white space if there is
// any, and never inside a character. A JSON record or CoNLL-U sentence of more than kMaxRecordBytes
// is malformed. The path and size of each file are kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/bytes/file_bytes.h"
#include "io/text/formats/format_reader.h"
#include "io/text/input/input_files.h"
#include "io/text/input/input_options.h"
#include "io/text/input/input_range.h"
#include "io/text/input/read_ahead.h"

namespace elmo {

/// True if each file is one document.
inline bool is_file_a_document(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::tokens;
}

/// Returns the reader of `context.options.format` for a file, or a stretch of one, that is not
/// empty. `window` and `context` must outlive it. `name` is used in errors and for documents
/// without an id. `document` is the file's document if the file is one.
std::unique_ptr<FormatReader> make_format_reader(ByteWindow& window, const std::string& name,
                                                 std::shared_ptr<const Document> document,
                                                 ReadingContext& context,
                                                 const TextStretch& stretch);

/// The sentences of a file, or of a stretch of one, in the format of the context. A file without
/// any text has no sentence, but is counted and, if documents are files, is a document. A text
/// without any token has one sentence without tokens. One thread at a time.
class FileReader {
 public:
  /// Reads from `begin`, which is in the stretch; another reader has read the text before it.
  /// `bytes`, if given, are those of the whole stretch; otherwise the file is opened. `context`,
  /// `waiting` and `stored_bytes`, which grows by the bytes read, must outlive this object. Errors
  /// as open_file.
  FileReader(FileStretch stretch, const UnitBegin& begin, std::unique_ptr<ByteSource> bytes,
             ReadingContext& context, const Waiting& waiting,
             std::atomic<std::uint64_t>& stored_bytes);

  /// As FormatReader::next.
  bool next(Sentence& sentence);

  /// Returns the next text, at least `size` bytes unless the file has fewer. Call it before
  /// reading.
  std::string_view peek(std::size_t size) {
    window_.fill(size);
    return window_.view();
  }

  /// The unit that the last sentence begins, if any: the stretch or, in an uncompressed file, a
  /// unit of it. Reading can start again there.
  const UnitBegin* unit() const { return is_first_ ? &first_unit_ : reader_->unit(); }

  /// True if the file is compressed; examines it only once.
  bool is_compressed();

  std::uint64_t bytes_read() const { return window_.bytes_read(); }  ///< decompressed
  std::uint64_t line_feeds() const { return line_feeds_; }           ///< of the stretch, so far
  const FileStretch& stretch() const { return stretch_; }

 private:
  std::unique_ptr<ByteSource> open(std::unique_ptr<ByteSource> bytes, std::uint64_t begin);
  bool begin_text();
  bool is_blank_to_its_end();

  FileStretch stretch_;
  ReadingContext& context_;
  const Waiting& waiting_;
  std::atomic<std::uint64_t>& stored_bytes_;
  std::uint64_t first_line_;
  std::uint64_t line_feeds_;
  ByteWindow window_;
  UnitBegin first_unit_;
  bool any_sentence_;                         // some reader has returned one
  bool is_first_ = false;                     // the last sentence is the first of the stretch
  std::optional<bool> compressed_;            // set once it has been determined
  std::shared_ptr<const Document> document_;  // set if the file is one document
  std::unique_ptr<FormatReader> reader_;
};

/// Reads all files of a range in order. One thread at a time.
class FileSequence {
 public:
  /// `bytes`, if given, are those of the only file; otherwise the files are opened. The other
  /// arguments must outlive this object.
  FileSequence(const InputRange& range, std::unique_ptr<ByteSource> bytes, ReadingContext& context,
               const Waiting& waiting);

  /// Starts at `position`, which must be in the range. Call it before reading.
  void begin_at(const TextPosition& position);

  /// Reads the next sentence and, if it has one, its position; returns false at the end. May be
  /// called again after WouldWait and then continues where it stopped. Errors as for reading;
  /// ReadingStopped before it opens another file.
  bool next(Sentence& sentence, std::optional<TextPosition>& position);

  /// Returns the beginning of the first file, at least `size` bytes unless the file has fewer. Call
  /// it before reading. May throw WouldWait.
  std::string_view peek(std::size_t size);

  /// Number of bytes read, as stored; any thread.
  std::uint64_t stored_bytes_read() const { return stored_bytes_read_; }
  /// Counts of the part that the range is, once it has been read to its end.
  PartCounts part_counts() const;

 private:
  bool open_next();
  void close();
  std::optional<TextPosition> position_of(const Sentence& sentence);

  const InputRange& range_;
  std::unique_ptr<ByteSource> bytes_;
  ReadingContext& context_;
  const Waiting& waiting_;
  bool has_positions_;  // sizes of all files are known
  std::atomic<std::uint64_t> stored_bytes_read_ = 0;

  std::size_t next_file_ = 0;
  std::optional<UnitBegin> begin_;  // in the next file; nothing: its first byte
  std::optional<FileReader> file_;

  // Totals of the files before.
  std::uint64_t bytes_before_ = 0;         // decompressed
  std::uint64_t stored_bytes_before_ = 0;  // of the range
  std::uint64_t first_file_documents_ = 0;
  std::uint64_t line_feeds_ = 0;  // of the last file

  std::optional<std::uint64_t> last_position_;  // its offset in the stored bytes of the range
};

/// Counts of the input up to the last returned sentence.
struct InputCounters : ReadingCounters {
  std::uint64_t left_out = 0;  ///< entries of folders that are neither files nor folders
  std::string first_left_out;  ///< the first one

  // As in ReadingContext.
  std::uint64_t utf16_files = 0;
  std::string first_utf16;
  std::uint64_t byte_order_marks = 0;
};

/// Progress in bytes as stored (before decompression).
struct InputProgress {
  std::uint64_t bytes_read = 0;
  std::optional<std::uint64_t> total_bytes;  ///< unknown for pipes
};

/// A source of sentences that counts what it reads; see open_source. One thread at a time, unless
/// stated otherwise.
class TextSource final : public SentenceSource {
 public:
  bool next(Sentence& sentence) override;
  /// May be wrong in one case: for a compressed pipe, returns true whenever it would have to
  /// decompress.
  bool next_would_wait() override;
  void stop_waiting() override { waiting_.stopped = true; }

  InputCounters counters() const;
  /// Any thread, at any time.
  InputProgress progress() const { return {files_.stored_bytes_read(), total_bytes_}; }

  /// Starts at a position returned by a source with equal options. Call it before reading.
  /// `text_hash` is the result of hash_before at that time: InputError if the hash has changed.
  void begin_at(const TextPosition& position, const std::string& text_hash);

  /// Returns the beginning of the text, decompressed. Waits for `least` bytes or the end, then
  /// reads up to `most` bytes without waiting. Does not affect reading. Call it before reading; the
  /// result is valid until then.
  std::string_view peek(std::size_t least, std::size_t most);

  /// Uses another tokenizer. Call it before reading. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings) { context_.set_tokenizer(settings); }

  /// Returns a position from which the last sentence is read next. Only some sentences have one:
  /// about one in 64 KiB of stored bytes, at the beginning of a file or, if it is not compressed,
  /// of a unit of its text (line, record, paragraph). Returns nothing for inputs that can be read
  /// only once. Each position is returned once.
  std::optional<TextPosition> take_position();

  /// InputRange::hash_before. Any thread.
  std::string hash_before(const TextPosition& position) const;

  /// Counts of options.part, once it has been read to its end.
  PartCounts part_counts() const { return files_.part_counts(); }

 private:
  friend std::unique_ptr<TextSource> open_source(const InputOptions& options);
  friend std::unique_ptr<TextSource> open_source(const InputOptions& options,
                                                 const std::string& name,
                                                 std::unique_ptr<ByteSource> bytes);

  /// A sentence and, if it has one, its position.
  struct Read {
    Sentence sentence;
    std::optional<TextPosition> position;
  };

  TextSource(const InputOptions& options, InputRange range, std::unique_ptr<ByteSource> bytes);
  bool read(Read& to) { return files_.next(to.sentence, to.position); }

  ReadingContext context_;
  Waiting waiting_;
  InputRange range_;
  std::optional<std::uint64_t> total_bytes_;
  FileSequence files_;
  ReadAhead<Read> ahead_;
  Read last_;
  LeftOut left_out_;
};

/// Checks that all inputs exist; opens the first one when the first sentence is requested.
/// InputError for a missing input or a folder without files; RequestError for an unknown locale or
/// if standard input is named twice. next() throws InputError naming file and line or byte,
/// SystemError for a failed read, and ReadingStopped.
std::unique_ptr<TextSource> open_source(const InputOptions& options);

/// As above, for the bytes of one file, which are not decompressed; `options.files` is ignored.
/// `name` is the document's id and names the input in errors.
std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes);

}  // namespace elmo
