// Positions in an input.
#pragma once

#include <cstdint>

#include "io/text/formats/reading_context.h"

namespace elmo {

/// Where reading can start again.
struct TextPosition {
  std::uint64_t file = 0;      ///< among those that are read
  std::uint64_t offset = 0;    ///< in it, in bytes as they are stored
  std::uint64_t line = 1;      ///< of that byte
  ReadingCounters counters{};  ///< of what is before; `documents` is the number of the next one
  std::uint64_t first_file_documents = 0;  ///< PartCounts, as far as it is known
};

}  // namespace elmo
