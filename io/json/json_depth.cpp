#include "io/json/json_depth.h"

#include <cstddef>

namespace elmo {

bool nests_deeply(std::string_view text) {
  constexpr int kMostLevels = 32;
  int level = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++at;
      continue;
    }
    if (c == '[' || c == '{') ++level;
    if (c == ']' || c == '}') --level;
    if (level > kMostLevels) return true;
  }
  return false;
}

}  // namespace elmo
