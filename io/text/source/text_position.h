// Positions in an input.
#pragma once

#include <cstdint>

#include "io/text/formats/reading_context.h"

namespace elmo {

/// A position where reading can start again.
struct TextPosition {
  std::uint64_t file = 0;      ///< index in the list of files
  std::uint64_t offset = 0;    ///< in the file, in bytes as stored
  std::uint64_t line = 1;      ///< line number of that byte
  ReadingCounters counters{};  ///< counts before it; `documents` is the number of the next document
  std::uint64_t first_file_documents = 0;  ///< as in PartCounts, as far as known
};

}  // namespace elmo
