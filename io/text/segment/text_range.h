// Ranges of a text.
#pragma once

#include <cstddef>

namespace elmo {

/// Half-open range of bytes of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace elmo
