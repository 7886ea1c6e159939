// Common parts of the readers of all formats.
#pragma once

#include <cstdint>

#include "core/inference/sentence.h"
#include "io/text/formats/reading_context.h"
#include "io/text/segment/text_range.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The position of a reader's bytes in their file.
struct TextStretch {
  std::uint64_t line = 1;  ///< line number of the first byte
  bool whole = true;       ///< false: other readers read the text before or after it
};

/// Start of a piece of a file that can be read by itself: a reader that starts there returns the
/// same sentences from there on.
struct UnitBegin {
  std::uint64_t offset = 0;    ///< in the file, in bytes
  std::uint64_t line = 1;      ///< line number of that byte
  ReadingCounters counters{};  ///< counts of the text before it
};

/// The sentences of one file, or of one record's text. One thread at a time.
class FormatReader {
 public:
  virtual ~FormatReader() = default;

  /// Reads the next sentence into `sentence`, which must be empty, and sets its document and line.
  /// Returns false at the end. InputError for data that violates the format. After WouldWait, it
  /// may be called again with an empty sentence and continues where it stopped.
  virtual bool next(Sentence& sentence) = 0;

  /// The unit of the last returned sentence; null if the file is a single unit.
  virtual const UnitBegin* unit() const { return nullptr; }
};

/// Adds the token at `range` of `text`. The source of `text` begins at byte `offset` of its
/// document.
inline void add_token(const RepairedText& text, TextRange range, std::uint64_t offset,
                      Sentence& sentence) {
  sentence.add(text.text().substr(range.begin, range.end - range.begin),
               {offset + text.source_offset(range.begin), offset + text.source_offset(range.end)});
}

}  // namespace elmo
