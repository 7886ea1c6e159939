#include "io/model/folder/char_filters.h"

namespace elmo {

std::vector<CharFilter> parse_char_filters(const JsonNode& node) {
  std::vector<CharFilter> filters;
  for (const JsonNode& pair : node.elements("an array of pairs [width, count] of whole numbers")) {
    const std::vector<JsonNode> numbers = pair.elements("[width, count] in whole numbers");
    if (numbers.size() != 2) pair.refuse("[width, count] in whole numbers");
    filters.push_back({numbers[0].whole(), numbers[1].whole()});
  }
  return filters;
}

}  // namespace elmo
