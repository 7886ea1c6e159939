// What the reader of a run's input passes to the writer of its output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/text/source/input_part.h"
#include "io/text/source/text_position.h"

namespace elmo {

/// Where a stopped run reads its input from when it continues.
struct ResumePosition {
  TextPosition text;
  std::string text_hash;       ///< TextSource::hash_before
  std::uint64_t sentence = 0;  ///< that is read next from there
  std::uint64_t tokens = 0;    ///< of the sentences before it
  std::uint64_t cut_sentences = 0;
  std::string input_hash;  ///< InputHash before it
};

class InputAccount {
 public:
  virtual ~InputAccount() = default;

  /// The last position at or before sentence `next`; nothing where the input has none. What is
  /// asked for only grows. Errors: as reading. Any thread.
  virtual std::optional<ResumePosition> position_before(std::uint64_t next) = 0;

  /// What the part holds that the input is, once it has been read to its end; nothing where it is
  /// no part.
  virtual std::optional<PartCounts> part_counts() const = 0;
};

}  // namespace elmo
