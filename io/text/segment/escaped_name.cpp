#include "io/text/segment/escaped_name.h"

#include <cstddef>

#include "io/text/segment/code_points.h"

namespace elmo {

std::string escaped_name(std::string_view name) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string escaped;
  for (std::size_t next = 0; next < name.size();) {
    const std::size_t begin = next;
    const bool whole = next_code_point(name, next) > 0;
    const std::string_view sequence = name.substr(begin, next - begin);
    if (whole) {
      escaped += sequence;
      continue;
    }
    for (const char byte : sequence) {
      const auto bits = static_cast<unsigned char>(byte);
      escaped += "\\x";
      escaped += kDigits[bits >> 4];
      escaped += kDigits[bits & 15];
    }
  }
  return escaped;
}

}  // namespace elmo
