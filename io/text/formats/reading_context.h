// What the readers of one run share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inference/sentence.h"
#include "io/text/formats/format_options.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// What has been met so far, up to the sentence that was read last.
struct ReadingCounters {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;              ///< decompressed, as far as read ahead
  std::uint64_t invalid_sequences = 0;  ///< of UTF-8, read as U+FFFD; in jsonl also lone surrogates
  std::uint64_t bad_records = 0;        ///< left out; jsonl with skip_bad_records only
  std::uint64_t cut_sentences = 0;      ///< cuts made in sentences of more than kMaxSentenceBytes
  std::uint64_t empty_sentences = 0;    ///< sentences of zero tokens
  std::uint64_t empty_files = 0;        ///< without any text, and so without a sentence
};

/// The options of a run, its counters, and its segmenter, which is costly to make. One thread at a
/// time.
class ReadingContext {
 public:
  /// Errors as make_segmenter, for the formats that need one.
  explicit ReadingContext(FormatOptions format_options);

  /// A new document, counted; its id is `id` as text, see escaped_name.
  std::shared_ptr<const Document> begin_document(const std::string& id);
  /// The same for a record without an id, whose line is one.
  std::shared_ptr<const Document> begin_numbered_document(std::uint64_t line);

  /// Under `strict`, an InputError for the first repair of `text`, which begins at byte `offset` of
  /// the file `name`.
  void check_strict(const RepairedText& text, const std::string& name, std::uint64_t offset) const;
  /// The same, and else counts the repairs.
  void count_repairs(const RepairedText& text, const std::string& name, std::uint64_t offset);

  /// Segments with another tokenizer from now on. Errors as make_segmenter.
  void set_tokenizer(const TokenizerSettings& settings);

  /// Only for the formats that are segmented.
  Segmenter& segmenter() { return *segmenter_; }

  FormatOptions options;
  ReadingCounters counters;

  // Not part of a position: what a resumed run read before is not counted again.
  std::uint64_t utf16_files = 0;       ///< that look like UTF-16 without a byte order mark
  std::string first_utf16;             ///< how to convert the first of them
  std::uint64_t byte_order_marks = 0;  ///< in tokens

 private:
  std::unique_ptr<Segmenter> segmenter_;
};

}  // namespace elmo
