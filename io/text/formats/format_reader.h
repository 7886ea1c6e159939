// What the readers of all formats have in common.
#pragma once

#include <cstdint>

#include "core/inference/sentence.h"
#include "io/text/formats/reading_context.h"
#include "io/text/segment/text_range.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Where the bytes that a reader is given stand in their file.
struct TextStretch {
  std::uint64_t line = 1;  ///< of the first one
  bool whole = true;       ///< else others read what is before or behind: see the readers
};

/// Where a piece of a file begins that can be read alone: whoever begins there hands out the same
/// sentences from there on.
struct UnitBegin {
  std::uint64_t offset = 0;    ///< in the file, in bytes
  std::uint64_t line = 1;      ///< of that byte
  ReadingCounters counters{};  ///< of what is before it
};

/// The sentences of one file, or of one record's text. One thread at a time.
class FormatReader {
 public:
  virtual ~FormatReader() = default;

  /// Reads the next sentence into `sentence`, which is empty, and sets its document and its line;
  /// false at the end. InputError for data that is not what the format says. May be called again
  /// after WouldWait, with an empty sentence, and then continues where it was.
  virtual bool next(Sentence& sentence) = 0;

  /// The unit of the sentence that was handed out last; nothing where a file has one alone.
  virtual const UnitBegin* unit() const { return nullptr; }
};

/// Adds the token at `range` of `text`, whose source begins at byte `offset` of its document.
inline void add_token(const RepairedText& text, TextRange range, std::uint64_t offset,
                      Sentence& sentence) {
  sentence.add(text.text().substr(range.begin, range.end - range.begin),
               {offset + text.source_offset(range.begin), offset + text.source_offset(range.end)});
}

}  // namespace elmo
