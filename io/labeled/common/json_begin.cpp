#include "io/labeled/common/json_begin.h"

#include <cstddef>

namespace elmo {

bool begins_with_object(ByteWindow& window) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  for (std::size_t at = 0; at < kLookedAt && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') return byte == '{';
  }
  return false;
}

}  // namespace elmo
