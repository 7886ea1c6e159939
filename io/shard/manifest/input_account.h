// Data about a run's input that the writer of its output needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/text/source/input_part.h"
#include "io/text/source/text_position.h"

namespace elmo {

/// Where a resumed run starts to read its input.
struct ResumePosition {
  TextPosition text;
  std::string text_hash;       ///< TextSource::hash_before
  std::uint64_t sentence = 0;  ///< number of the sentence at this position
  std::uint64_t tokens = 0;    ///< tokens of the sentences before it
  std::uint64_t cut_sentences = 0;
  std::string input_hash;  ///< InputHash of the sentences before it
};

class InputAccount {
 public:
  virtual ~InputAccount() = default;

  /// Returns the last position at or before sentence `next`, or nothing if the input has none.
  /// `next` must not decrease. Errors: as for reading. Any thread.
  virtual std::optional<ResumePosition> position_before(std::uint64_t next) = 0;

  /// Returns the counts of the part, once it has been read to its end; nothing if the input is not
  /// a part.
  virtual std::optional<PartCounts> part_counts() const = 0;
};

}  // namespace elmo
