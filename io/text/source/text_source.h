// Text of any supported format as a source of sentences.
//
// Inputs are files, folders and standard input (see input_files.h), decompressed on the way where
// they begin like gzip, zstd, xz or bzip2. They are UTF-8 (UTF-16 and UTF-32 are refused where they
// begin with a byte order mark): an invalid sequence is read as U+FFFD,
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
//   tokenised like `text`. Spans point into the field's text, `Sentence::line` is the record's.
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
// kWidestWrappedLine columns ends a paragraph too, but a short one may go on in the next line.)
//
// Memory is bounded: a sentence of more than kMaxSentenceBytes is cut, at white space where there
// is some, and never inside a character; a JSON record or a sentence of CoNLL-U of more than
// kMaxRecordBytes is malformed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/source.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// Room for a word of 10^6 characters of four bytes.
inline constexpr std::size_t kMaxSentenceBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

enum class InputFormat { text, tokens, jsonl, conllu };

struct InputOptions {
  std::vector<std::string> files;  ///< files and folders; "-" or none at all is standard input
  InputFormat format = InputFormat::text;
  bool lines = false;               ///< text and jsonl: each line of text is one sentence
  bool whole_records = false;       ///< jsonl: each record's text is one sentence
  std::string locale;               ///< of the segmentation, as in "de" or "pt-BR"; empty: root
  bool strict = false;              ///< invalid UTF-8 is an error
  std::string text_field = "text";  ///< jsonl: the string that holds the text
  std::string id_field = "id";      ///< jsonl: a string or a number; a record without has its line
  bool skip_bad_records = false;    ///< jsonl: malformed records are counted and left out
  std::optional<InputPart> part;    ///< of the files' bytes; none: all of them
  bool whole_documents = false;     ///< parts end between documents only
  std::string written;              ///< file or folder of the output, no input; empty: none

  /// Once true, a read that waits for standard input or another pipe gives up and next() throws
  /// ReadingStopped, as it does before another file is opened; not owned, may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// What has been met so far, up to the sentence that was read last.
struct InputCounters {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;              ///< decompressed, as far as read ahead
  std::uint64_t invalid_sequences = 0;  ///< of UTF-8, read as U+FFFD; in jsonl also lone surrogates
  std::uint64_t bad_records = 0;        ///< left out; jsonl with skip_bad_records only
  std::uint64_t cut_sentences = 0;      ///< cuts made in sentences of more than kMaxSentenceBytes
  std::uint64_t empty_sentences = 0;    ///< sentences of zero tokens
  std::uint64_t empty_files = 0;        ///< without any text, and so without a sentence
  std::uint64_t left_out = 0;           ///< in folders: what is neither a file nor a folder
  std::string first_left_out;           ///< the first of them
};

/// How far reading is, in bytes as they are stored (compressed where they are).
struct InputProgress {
  std::uint64_t bytes_read = 0;
  std::optional<std::uint64_t> total_bytes;  ///< not known for pipes
};

/// Where reading can begin anew.
struct TextPlace {
  std::uint64_t file = 0;    ///< among those that are read
  std::uint64_t offset = 0;  ///< in it, in bytes as they are stored
  std::uint64_t line = 1;    ///< of that byte
  InputCounters counters;    ///< of what is before; `documents` is the number of the next one
  std::uint64_t first_file_documents = 0;  ///< PartCounts, as far as it is known
};

/// A source of sentences that keeps account. next() and what is not said to be otherwise are for
/// one thread at a time.
class TextSource : public SentenceSource {
 public:
  virtual const InputCounters& counters() const = 0;
  /// Any thread may ask meanwhile.
  virtual InputProgress progress() const = 0;

  /// Begins at a place that a source of equal options has told, before anything is read.
  /// `text_hash` is what hash_before said there: InputError where it says another thing now.
  virtual void begin_at(const TextPlace& place, const std::string& text_hash) = 0;

  /// A place from which the sentence read last is the next one. Only some sentences have one: the
  /// first of a file, and in files that are not compressed about one in 64 KiB, which a unit of
  /// the text (TextPlace::line, record, paragraph) begins with. None where an input can be read
  /// only once. Each place is told once.
  virtual std::optional<TextPlace> take_place() = 0;

  /// Hash of the stored bytes before a place: of 4 MiB, or all where there are fewer. Any thread.
  /// Errors: as reading.
  virtual std::string hash_before(const TextPlace& place) const = 0;

  /// What options.part holds, once it has been read to its end.
  virtual PartCounts part_counts() const = 0;
};

/// Looks for every input and opens the first one when the first sentence is asked for. InputError
/// for a missing input or a folder without files; RequestError for an unknown locale or standard
/// input named twice. next() throws InputError naming file and line or byte, SystemError for a
/// failed read, ReadingStopped. next_would_wait() may be wrong in one case: of a compressed pipe it
/// says so whenever it would have to decompress.
std::unique_ptr<TextSource> open_source(const InputOptions& options);

/// The same over one file's bytes that are already at hand, not decompressed; `options.files` is
/// not looked at. `name` is the document's id and names the input in errors.
std::unique_ptr<TextSource> open_source(const InputOptions& options, std::string name,
                                        std::unique_ptr<ByteSource> bytes);

/// All that decides which tokens are made of a text: two inputs read under equal descriptions get
/// equal tokens. For fingerprints and shard attributes.
struct TokenizerDescription {
  std::string name;             ///< "icu", "icu-lines", "white-space" or "conllu"
  int revision = 0;             ///< of the rules that are this program's own
  std::string icu_version;      ///< "72.1"; empty where ICU does not segment, as are the next two
  std::string unicode_version;  ///< "15.0"
  std::string locale;           ///< "root", "de", "pt_BR"
  bool operator==(const TokenizerDescription&) const = default;
};

/// RequestError for an unknown locale.
TokenizerDescription describe_tokenizer(const InputOptions& options);

/// One line: "icu 72.1, Unicode 15.0, locale root, rules 1".
std::string to_string(const TokenizerDescription& description);

}  // namespace elmo
