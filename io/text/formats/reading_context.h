// State that the readers of one run share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inference/sentence.h"
#include "io/text/formats/format_options.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Counts of the input up to the last returned sentence.
struct ReadingCounters {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;              ///< decompressed, including what was read ahead
  std::uint64_t invalid_sequences = 0;  ///< in UTF-8, read as U+FFFD; in jsonl also lone surrogates
  std::uint64_t bad_records = 0;        ///< skipped records; jsonl with skip_bad_records only
  std::uint64_t cut_sentences = 0;      ///< cuts within sentences longer than kMaxSentenceBytes
  std::uint64_t empty_sentences = 0;    ///< sentences of zero tokens
  std::uint64_t empty_files = 0;        ///< files without any text, which have no sentence
};

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

  /// Under `strict`, throws an InputError for the first repair of `text`, which begins at byte
  /// `offset` of the file `name`.
  void check_strict(const RepairedText& text, const std::string& name, std::uint64_t offset) const;
  /// As check_strict; without `strict`, counts the repairs.
  void count_repairs(const RepairedText& text, const std::string& name, std::uint64_t offset);

  /// Uses another tokenizer from now on. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings);

  /// Only for formats with is_segmented().
  Segmenter& segmenter() { return *segmenter_; }

  FormatOptions options;
  ReadingCounters counters;

  // Not part of a position: a resumed run does not count again what it read before.
  std::uint64_t utf16_files = 0;       ///< files that look like UTF-16 without a byte order mark
  std::string first_utf16;             ///< command that converts the first of them
  std::uint64_t byte_order_marks = 0;  ///< byte order marks inside tokens

 private:
  std::unique_ptr<Segmenter> segmenter_;
};

}  // namespace elmo
