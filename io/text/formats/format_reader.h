// The interface of the readers of all formats, with their options and counters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Enough for a word of 10^6 characters of four bytes each.
inline constexpr std::size_t kMaxSentenceBytes = std::size_t{4} << 20;

enum class InputFormat { text, tokens, jsonl, conllu, vertical, fasta };

inline constexpr auto kInputFormats = enum_table<InputFormat>({{"text", InputFormat::text},
                                                               {"tokens", InputFormat::tokens},
                                                               {"jsonl", InputFormat::jsonl},
                                                               {"conllu", InputFormat::conllu},
                                                               {"vertical", InputFormat::vertical},
                                                               {"fasta", InputFormat::fasta}});

/// Where a file can be cut, so that both pieces can be read alone.
enum class CutPoint {
  none,
  line,       ///< at the beginning of a line
  paragraph,  ///< of a line that begins a paragraph
  header      ///< of a line that begins with >
};

/// The properties of a format, apart from its reader.
struct FormatTraits {
  InputFormat format;
  std::string_view help;
  std::string_view tokens;  ///< tokenizer.json's name of its tokens; empty: a tokenizer makes them
  bool has_records;         ///< each document is a record
  bool file_is_document;
  CutPoint cuts;
  std::size_t max_sentence_tokens = kDefaultMaxSentenceTokens;  ///< default of the commands
};

/// Enough for all known proteins.
inline constexpr std::size_t kMaxSequenceResidues = 50000;

inline constexpr std::array kFormatTraits = {
    FormatTraits{InputFormat::text, "raw UTF-8", "", false, true, CutPoint::paragraph},
    FormatTraits{InputFormat::tokens, "one tokenized sentence per line", "white-space", false, true,
                 CutPoint::line},
    FormatTraits{InputFormat::jsonl, "one JSON record per line", "", true, false, CutPoint::line},
    FormatTraits{InputFormat::conllu, "CoNLL-U", "conllu", false, false, CutPoint::none},
    FormatTraits{InputFormat::vertical, "one token per line and tags (Corpus Workbench)",
                 "vertical", false, false, CutPoint::none},
    FormatTraits{InputFormat::fasta, "residues of proteins (FASTA)", "residues", true, false,
                 CutPoint::header, kMaxSequenceResidues},
};

/// The row of a format. Any thread.
constexpr const FormatTraits& traits_of(InputFormat format) {
  return kFormatTraits[static_cast<std::size_t>(format)];
}
static_assert(std::ranges::all_of(kFormatTraits, [](const FormatTraits& traits) {
  return &traits_of(traits.format) == &traits;
}));

/// True if the tokens of this format are made by a tokenizer.
constexpr bool is_segmented(InputFormat format) { return traits_of(format).tokens.empty(); }

/// How the bytes of a file become sentences.
struct FormatOptions {
  InputFormat format = InputFormat::text;
  bool lines = false;               ///< text and jsonl: each line of text is one sentence
  bool whole_records = false;       ///< jsonl: each record's text is one sentence
  TokenizerSettings tokenizer;      ///< text and jsonl: rules for sentences and tokens
  bool strict = false;              ///< invalid UTF-8 is an error
  std::string text_field = "text";  ///< jsonl: the field with the text, a string
  std::string id_field = "id";      ///< jsonl: a string or a number; default: the line number
  bool keep_lines = false;        ///< tokens: sentences keep their lines, without outer white space
  bool skip_bad_records = false;  ///< jsonl: malformed records are counted and skipped
  std::size_t word_column = 1;    ///< vertical: the column of the tokens, from 1
};

/// Content that the chosen input format probably reads wrongly.
enum class Oddity {
  encoding,  ///< another encoding than UTF-8
  foreign,   ///< a Git LFS pointer, subtitles or the like; text and tokens only
  records,   ///< JSON records, read as raw text
  conllu,    ///< CoNLL-U, read as raw text
  vertical,  ///< a vertical corpus, read as raw text
  fasta,     ///< FASTA, read as raw text
  table      ///< CSV or TSV, read as raw text
};
inline constexpr std::size_t kOddities = static_cast<std::size_t>(Oddity::table) + 1;

/// Counts of the input up to the last returned sentence.
struct ReadingCounters {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;  ///< decompressed, including what was read ahead
  /// Invalid UTF-8 sequences read as U+FFFD; in jsonl also lone surrogates.
  std::uint64_t invalid_sequences = 0;
  std::uint64_t bad_records = 0;      ///< skipped records; jsonl with skip_bad_records only
  std::uint64_t cut_sentences = 0;    ///< cuts within sentences longer than kMaxSentenceBytes
  std::uint64_t empty_sentences = 0;  ///< sentences of zero tokens
  std::uint64_t empty_files = 0;      ///< files without any text, which have no sentence

  // In a position, the following are zero: a resumed run does not count again what it read before.
  std::array<std::uint64_t, kOddities> odd_files{};  ///< by Oddity
  std::uint64_t byte_order_marks = 0;                ///< byte order marks inside tokens
  std::uint64_t html_entities = 0;                   ///< entities of HTML; text and jsonl only
  std::uint64_t html_tags = 0;                       ///< tags of HTML; text and jsonl only
  std::uint64_t hardly_known_tokens = 0;             ///< see add_token(); what models hardly know
};

/// Adds the token at `range` of `text` as add_token. The source of `text` begins at byte `offset`
/// of its document.
inline bool add_token(const RepairedText& text, TextRange range, std::uint64_t offset,
                      Sentence& sentence, Normalization normalization = Normalization::none) {
  return add_token(
      sentence, text.text().substr(range.begin, range.end - range.begin),
      {offset + text.source_offset(range.begin), offset + text.source_offset(range.end)},
      normalization);
}

/// The options of a run, its counters, and its segmenter, which is expensive to create. One thread
/// at a time.
class ReadingContext {
 public:
  /// Errors as make_segmenter if the format needs one.
  explicit ReadingContext(FormatOptions format_options);

  /// Creates and counts a document. Its id is escaped_name(id).
  std::shared_ptr<const Document> begin_document(const std::string& id);
  /// Creates and counts a document for a record without an id; its id is `line`.
  std::shared_ptr<const Document> begin_numbered_document(std::uint64_t line);

  /// Sets the file that is read from now on, as notes and commands name it.
  void begin_file(const std::string& path);
  /// Counts the file as an oddity; `first` names the first one, see first_odd.
  void count_odd(Oddity oddity, const std::string& first);
  /// Counts the file if `bytes` of it are likely to be in another encoding than UTF-8. Looks at a
  /// few stretches of a file only.
  void check_encoding(std::string_view bytes);
  /// The encoding that the file is likely to have, and the command that converts it; empty without.
  const std::string& encoding() const { return encoding_; }

  /// If `text` was repaired: looks for the encoding of the file and, under `strict`, throws an
  /// InputError that names the first repair. `text` begins at byte `offset` of the file `name`;
  /// `bytes` are its bytes and what has been read after them.
  void check_repairs(const RepairedText& text, std::string_view bytes, const std::string& name,
                     std::uint64_t offset);
  /// The same, and counts the repairs.
  void count_repairs(const RepairedText& text, std::string_view bytes, const std::string& name,
                     std::uint64_t offset);

  /// Uses another tokenizer from now on. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings);

  /// Makes the segmenter although the format needs none, for records with raw text. Errors as
  /// make_segmenter.
  void segment_texts();

  /// Only for formats with is_segmented(), or after segment_texts().
  Segmenter& segmenter() { return *segmenter_; }

  /// Adds a token that the format gives, at `range` of `text`, like the one below.
  void add_given(const RepairedText& text, TextRange range, std::uint64_t offset,
                 Sentence& sentence) {
    const Normalization form = options.tokenizer.token_normalization;
    if (add_token(text, range, offset, sentence, form)) ++counters.hardly_known_tokens;
  }

  /// Adds the segmenter's token at `range` of `text`, or the words that it stands for if
  /// contractions are expanded. The source of `text` begins at byte `offset` of its document.
  /// Counts HTML.
  void add_words(const RepairedText& text, TextRange range, std::uint64_t offset,
                 Sentence& sentence) {
    count_html(text.text(), range);
    if (options.tokenizer.contractions == ContractionMode::keep ||
        !add_contraction(text, range, offset, sentence)) {
      const Normalization form = options.tokenizer.normalization;
      if (add_token(text, range, offset, sentence, form)) ++counters.hardly_known_tokens;
    }
  }

  /// Adds all tokens of `text`, which is a single sentence, as add_words.
  void add_sentence(const RepairedText& text, std::uint64_t offset, Sentence& sentence);

  FormatOptions options;
  ReadingCounters counters;
  /// The first of the `odd_files`, as a note names it: its path; for encoding also the encoding and
  /// the command that converts it; for foreign also what it holds.
  std::array<std::string, kOddities> first_odd;

 private:
  void count_html(std::string_view text, TextRange token);
  bool add_contraction(const RepairedText& text, TextRange range, std::uint64_t offset,
                       Sentence& sentence) const;

  std::unique_ptr<Segmenter> segmenter_;
  std::string path_;      // of the file that is read
  std::string encoding_;  // see encoding()
  int encoding_checks_ = 0;
};

/// The text that a reader reads, and its settings. `window` and `context` must outlive the reader.
struct TextInput {
  ByteWindow& window;
  std::string name;  ///< name of the file, in errors
  ReadingContext& context;
  /// Document of all sentences, unless the format has its own.
  std::shared_ptr<const Document> document{};
  std::uint64_t line = 1;  ///< line number of the first byte
  bool whole = true;       ///< false: other readers read the text before or after it
};

/// Start of a piece of a file that can be read by itself: a reader that starts there returns the
/// same sentences from there on.
struct UnitBegin {
  std::uint64_t offset = 0;    ///< byte position in the file
  std::uint64_t line = 1;      ///< line number of that byte
  ReadingCounters counters{};  ///< counts of the text before it
};

/// The sentences of one file, or of one record's text. One thread at a time.
class FormatReader {
 public:
  virtual ~FormatReader() = default;

  /// Reads the next sentence into `sentence`, which must be empty, and sets its document and line.
  /// Returns false at the end. InputError for data that violates the format.
  virtual bool next(Sentence& sentence) = 0;

  /// The unit of the last returned sentence; null if the file is a single unit.
  virtual const UnitBegin* unit() const { return nullptr; }

 protected:
  explicit FormatReader(const TextInput& input)
      : window_(input.window),
        name_(input.name),
        context_(input.context),
        document_(input.document) {}

  ByteWindow& window_;
  std::string name_;
  ReadingContext& context_;
  std::shared_ptr<const Document> document_;
};

}  // namespace elmo
