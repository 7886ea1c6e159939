// Text of any supported format as a source of sentences.
//
// Inputs are files, folders and standard input (see input_files.h). Data that begins like gzip,
// zstd, xz or bzip2 is decompressed. Text is UTF-8. Files that begin with a byte order mark of
// UTF-16 or UTF-32 are refused, and so are archives, images and other files whose signature shows
// that they are not text. An invalid sequence is read as U+FFFD, one for each maximal subpart (The
// Unicode Standard 15, section 3.9), and counted, or refused if `strict`. A byte order mark at the
// beginning of a file is not part of its text, but spans count its bytes.
//
// - text: each file is a document. The tokenizer makes its sentences and tokens (segmenter.h).
//   Paragraphs end at blank lines, at headings and list items, and at lines too wide to be
//   hard-wrapped (free_text_reader.h). With `lines`, each line is a sentence.
// - tokens: each file is a document and each line a sentence. Tokens are separated by ASCII white
//   space and control characters (bytes 0x00 to 0x20) and by nothing else: a no-break space is part
//   of a token.
// - jsonl: each record, one JSON object per line, is a document; blank lines are skipped. The text
//   field is tokenized like `text`. Spans point into the field's text; `Sentence::line` is the line
//   of the record.
// - conllu: a document extends from one `# newdoc` to the next; a file without any is one document.
//   Tokens are the FORMs of the syntactic words: a multiword token (1-2) is represented by its
//   words, and an empty node (8.1) is skipped.
// - vertical: a document extends from one `<doc …>` or `<text …>` to the next, and a sentence from
//   `<s>` to `</s>`. Tokens are a column of the lines that are not tags, with entities decoded.
// - fasta: each record is a document and a sentence, and each residue a token.
//
// In all formats except jsonl, spans point into the file (decompressed, before any repair). An
// empty line of `lines` and `tokens`, a blank text and a record with an empty text are a sentence
// of zero tokens. A file without any text, not even a line feed, has no sentence, in every format
// and also as standard input; if documents are files, it still has a document number. No token is
// empty or contains a NUL or invalid UTF-8. `<S>` and `</S>` are ordinary tokens.
//
// Where a sentence ends depends only on the bytes, not on when they arrive. A program that writes a
// sentence and waits for its result must therefore end it unambiguously: by a line end in lines,
// tokens and jsonl, by a blank line in text and conllu, by `</s>` in vertical, by the next header
// in fasta. (In text, a line of more than kWidestWrappedLine columns also ends a paragraph, but a
// shorter one may continue in the next line.)
//
// Memory is bounded. A sentence of more than kMaxSentenceBytes is cut, at white space if there is
// any, and never inside a character. A JSON record or CoNLL-U sentence of more than kMaxRecordBytes
// is malformed. The path and size of each file are kept.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "core/inference/token_selection.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"
#include "io/text/input/input_files.h"
#include "io/text/input/input_options.h"
#include "io/text/input/input_range.h"
#include "io/text/input/read_queue.h"
#include "io/text/input/resume_position.h"
#include "io/text/input/token_matcher.h"

namespace elmo {

/// Counts of the input up to the last returned sentence.
struct InputCounters : ReadingCounters {
  std::array<std::string, kOddities> first_odd;  ///< see ReadingContext
  std::uint64_t left_out = 0;  ///< entries of folders that are neither files nor folders
  std::string first_left_out;  ///< the first one
};

/// The sentences of an input; see open_source. A separate thread reads the files in order, at most
/// about 2 MiB of sentences ahead. Each sentence can be taken once its end is certain, without
/// waiting for more text. One thread at a time, unless stated otherwise.
class TextSource final : public SentenceSource {
 public:
  /// For open_source.
  TextSource(const InputOptions& options, InputRange range, std::unique_ptr<ByteSource> bytes,
             const ReadingControl& control = {}, LeftOut left_out = {});
  ~TextSource() override;

  /// Errors as open_source.
  bool next(Sentence& sentence) override;
  /// Files are never waited for.
  bool wait(std::chrono::microseconds time) override { return total_bytes_ || queue_.wait(time); }

  // The following three are for the time before reading.

  /// Starts at a position of a source with equal options. InputError if the text before it has
  /// changed.
  void begin_at(const ResumePosition& position);

  /// Returns the beginning of the text, decompressed. Waits for `least` bytes or the end, then
  /// reads up to `most` bytes without waiting. Does not affect reading. Valid until then.
  std::string_view peek(std::size_t least, std::size_t most);

  /// Uses another tokenizer. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings);

  /// All files of the input, also those of other parts.
  const FileList& files() const { return range_.files(); }

  InputCounters counters() const;
  /// Number of sentences that were cut at options.max_sentence_tokens.
  std::uint64_t cut_sentences() const { return returned_.cut_sentences; }

  /// Counts of options.part, once it has been read to its end; nothing without a part.
  std::optional<PartCounts> part_counts() const;

  /// Numbers of returned sentences and their tokens, including those before the position where
  /// reading began. Any thread.
  std::uint64_t sentences() const { return sentences_; }
  std::uint64_t tokens() const { return tokens_; }

  /// The share of the input in its first `tokens` tokens, estimated from what has been read.
  /// Nothing if the size of the input is unknown. Any thread.
  std::optional<double> fraction(double tokens) const;

  /// Returns the last position at or before sentence `next`, which must not decrease. Only some
  /// sentences have one: about one in 64 KiB of stored bytes, at the beginning of a file or, if it
  /// is not compressed, of a unit of its text (line, record, paragraph). Nothing for inputs that
  /// can be read only once, or without options.keep_positions. Errors as for reading. Any thread.
  std::optional<ResumePosition> position_before(std::uint64_t next);

 private:
  class Files;

  /// Counts of the input up to a sentence.
  struct Counts {
    ReadingCounters reading;
    std::uint64_t cut_sentences = 0;
  };
  struct Read {
    Sentence sentence;
    Counts counts;
  };

  bool read(Read& to);
  Counts counts() const;

  InputRange range_;
  bool is_part_;
  std::optional<std::uint64_t> total_bytes_;  ///< unknown if there are pipes
  LeftOut left_out_;

  // For the thread that takes sentences; the numbers are for any thread.
  Read read_;  // its sentence holds memory for the next one
  Counts returned_;
  std::atomic<std::uint64_t> sentences_{0};
  std::atomic<std::uint64_t> tokens_{0};

  // For the thread that reads, once it has started; positions and tokens are for any thread.
  std::unique_ptr<Files> files_;
  SentenceCutter cutter_;
  std::optional<TokenMatcher> matcher_;
  std::optional<SelectingSource> selecting_;
  std::uint64_t read_sentences_ = 0;
  std::atomic<std::uint64_t> read_tokens_{0};
  std::uint64_t cut_before_ = 0;  ///< long sentences before the position where reading began
  bool keep_positions_;
  InputHash hash_;             ///< hash of the sentences read
  ResumePositions positions_;  ///< not yet passed by position_before; without text_hash

  ReadQueue<Read> queue_;  // last: its thread uses the rest
};

/// Checks that all inputs exist; opens the first one when the first sentence is requested.
/// InputError for a missing input or a folder without files; RequestError for an unknown locale, an
/// invalid query, or if standard input is named twice. next() throws InputError naming file and
/// line or byte, SystemError for a failed read, and ReadingStopped.
std::unique_ptr<TextSource> open_source(const InputOptions& options,
                                        const ReadingControl& control = {});

/// The same for the bytes of one file, which are not decompressed; `options.files` is ignored.
/// `name` is the document's id and names the input in errors.
std::unique_ptr<TextSource> open_source(const InputOptions& options, const std::string& name,
                                        std::unique_ptr<ByteSource> bytes);

}  // namespace elmo
