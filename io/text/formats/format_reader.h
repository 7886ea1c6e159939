// What the readers of all input formats have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/inference/sentence.h"
#include "io/text/segment/tokenizer.h"
#include "io/text/segment/utf8.h"
#include "io/text/source/text_source.h"

namespace elmo {

class ByteWindow;

/// Where the bytes that a reader is given stand in their file.
struct TextStretch {
  std::uint64_t line = 1;  ///< of the first one
  bool whole = true;       ///< else others read what is before or behind: see the readers
};

/// Where a piece of a file begins that can be read alone: whoever begins there hands out the same
/// sentences from there on.
struct UnitBegin {
  std::uint64_t offset = 0;  ///< in the file, in bytes
  std::uint64_t line = 1;    ///< of that byte
  InputCounters counters;    ///< of what is before it
};

/// The sentences of one file, or of one record's text. One thread at a time.
class FormatReader {
 public:
  virtual ~FormatReader() = default;

  /// Reads the next sentence into `sentence`, which is empty, and sets its document and its line;
  /// false at the end. InputError for data that is not what the format says. May be called again
  /// after WouldWait, with an empty sentence, and then goes on where it was.
  virtual bool next(Sentence& sentence) = 0;

  /// The unit of the sentence that was handed out last; nothing where a file has one alone.
  virtual const UnitBegin* unit() const { return nullptr; }
};

/// What one run's readers share: its options, its counts, and ICU's iterators, which are costly to
/// make.
class ReadingContext {
 public:
  explicit ReadingContext(InputOptions options);

  /// A new document, counted; its id is `id` as text, see escaped_name.
  std::shared_ptr<const Document> begin_document(const std::string& id);
  /// The same for a record without an id, whose line is one.
  std::shared_ptr<const Document> begin_numbered_document(std::uint64_t line);

  /// Under `strict`, an InputError for the first repair of `text`, which begins at byte `offset` of
  /// the file `name`.
  void check_strict(const RepairedText& text, const std::string& name, std::uint64_t offset) const;

  /// ICU's words and sentences; only for the formats that it segments.
  Tokenizer& tokenizer() { return *tokenizer_; }
  SentenceBreaker& sentence_breaker() { return *sentence_breaker_; }

  const InputOptions options;
  InputCounters counters;

 private:
  std::optional<Tokenizer> tokenizer_;
  std::optional<SentenceBreaker> sentence_breaker_;
};

/// Whether ICU makes the tokens of this input.
inline bool is_segmented(InputFormat format) {
  return format == InputFormat::text || format == InputFormat::jsonl;
}

/// Adds the token at `range` of `text`, whose source begins at byte `offset` of its document.
void add_token(const RepairedText& text, TextRange range, std::uint64_t offset, Sentence& sentence);

/// The reader of raw text as `options.lines` says, for a file, a stretch of one, or a record's
/// text. `window` and `context` outlive it; `name` is for errors.
std::unique_ptr<FormatReader> make_raw_text_reader(ByteWindow& window, const std::string& name,
                                                   std::shared_ptr<const Document> document,
                                                   ReadingContext& context,
                                                   const TextStretch& stretch = {});

}  // namespace elmo
