// Text of any supported format as a source of sentences.
//
// Inputs are files, folders and standard input (see input_files.h), decompressed on the way where
// they begin like gzip, zstd, xz or bzip2. They are UTF-8 (UTF-16 and UTF-32 are refused where they
// begin with a byte order mark, as are archives, images and other files that are no text by their
// signature): an invalid sequence is read as U+FFFD,
// one for each maximal subpart (The Unicode Standard 15, section 3.9), and counted, or refused when
// `strict`. A byte order mark at the beginning of a file is not part of its text, but spans count
// its bytes.
//
// - text: a document is a file. ICU's sentences and words (tokenizer.h); paragraphs end at blank
//   lines and where a line is too wide to have been wrapped by hand (free_text_reader.h). With
//   `lines`, each line is a sentence.
// - tokens: a document is a file, a sentence a line. Tokens are separated by ASCII white space and
//   control characters (bytes 0x00 to 0x20) and by nothing else: a no-break space is part of one.
// - jsonl: a document is a record, one JSON object a line; blank lines are none. The text field is
//   tokenized like `text`. Spans point into the field's text, `Sentence::line` is the record's.
// - conllu: a document goes from one `# newdoc` to the next, or is a file without any. Tokens are
//   the FORMs of the syntactic words: a multiword token (1-2) stands for its words, and an empty
//   node (8.1) is left out.
//
// Everywhere but in jsonl, spans point into the file (decompressed, before any repair). An empty
// line of `lines` and `tokens`, a text that is blank and a record whose text is empty are a
// sentence of zero tokens. A file without any text, not even a line feed, has no sentence at all,
// in every format and also as standard input; where documents are files, it keeps its number. No
// token is empty, holds a NUL or invalid UTF-8. `<S>` and `</S>` are tokens like any other.
//
// Where a sentence ends depends on the bytes alone, not on when they come. A program that writes a
// sentence and waits for what is made of it therefore ends it for certain: by the end of a line in
// lines, tokens and jsonl, by a blank line in text and conllu. (In text a line of more than
// kWidestWrappedLine columns ends a paragraph too, but a short one may continue in the next line.)
//
// Memory is bounded: a sentence of more than kMaxSentenceBytes is cut, at white space where there
// is some, and never inside a character; a JSON record or a sentence of CoNLL-U of more than
// kMaxRecordBytes is malformed. Of each file its path and size are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/source.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/formats/reading_context.h"
#include "io/text/source/file_sequence.h"
#include "io/text/source/input_files.h"
#include "io/text/source/input_options.h"
#include "io/text/source/input_part.h"
#include "io/text/source/input_range.h"
#include "io/text/source/read_ahead.h"
#include "io/text/source/text_position.h"

namespace elmo {

/// What has been met so far, up to the sentence that was read last.
struct InputCounters : ReadingCounters {
  std::uint64_t left_out = 0;  ///< in folders: what is neither a file nor a folder
  std::string first_left_out;  ///< the first of them

  // As in ReadingContext.
  std::uint64_t utf16_files = 0;
  std::string first_utf16;
  std::uint64_t byte_order_marks = 0;
};

/// How far reading is, in bytes as they are stored (compressed where they are).
struct InputProgress {
  std::uint64_t bytes_read = 0;
  std::optional<std::uint64_t> total_bytes;  ///< not known for pipes
};

/// A source of sentences that keeps account; see open_source. next() and what is not said to be
/// otherwise are for one thread at a time.
class TextSource final : public SentenceSource {
 public:
  bool next(Sentence& sentence) override;
  /// May be wrong in one case: of a compressed pipe it says so whenever it would have to
  /// decompress.
  bool next_would_wait() override;
  void stop_waiting() override { waiting_.stopped = true; }

  InputCounters counters() const;
  /// Any thread may ask meanwhile.
  InputProgress progress() const { return {files_.stored_bytes_read(), total_bytes_}; }

  /// Begins at a position that a source of equal options handed out, before anything is read.
  /// `text_hash` is what hash_before said there: InputError where it says another thing now.
  void begin_at(const TextPosition& position, const std::string& text_hash);

  /// The beginning of the text, decompressed: waits for `least` bytes or the end, and goes on to
  /// `most` as long as that takes no waiting. Reading is not changed by it. Before anything is
  /// read. Valid until then.
  std::string_view peek(std::size_t least, std::size_t most);

  /// Segments with another tokenizer. Before anything is read. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings) { context_.set_tokenizer(settings); }

  /// A position from which the sentence read last is the next one. Only some sentences have one:
  /// about one in 64 KiB of stored bytes, with which a file or, where that is not compressed, a
  /// unit of its text (line, record, paragraph) begins. None where an input can be read only once.
  /// Each position is handed out once.
  std::optional<TextPosition> take_position();

  /// InputRange::hash_before. Any thread.
  std::string hash_before(const TextPosition& position) const;

  /// What options.part holds, once it has been read to its end.
  PartCounts part_counts() const { return files_.part_counts(); }

 private:
  friend std::unique_ptr<TextSource> open_source(const InputOptions& options);
  friend std::unique_ptr<TextSource> open_source(const InputOptions& options,
                                                 const std::string& name,
                                                 std::unique_ptr<ByteSource> bytes);

  /// A sentence, and its position where it has one.
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

/// Looks for every input and opens the first one when the first sentence is asked for. InputError
/// for a missing input or a folder without files; RequestError for an unknown locale or standard
/// input named twice. next() throws InputError naming file and line or byte, SystemError for a
/// failed read, ReadingStopped.
std::unique_ptr<TextSource> open_source(const InputOptions& options);

/// The same over one file's bytes that are already at hand, not decompressed; `options.files` is
/// not looked at. `name` is the document's id and names the input in errors.
std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes);

}  // namespace elmo
