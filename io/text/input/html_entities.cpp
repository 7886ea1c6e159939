#include "io/text/input/html_entities.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace elmo {
namespace {

/// Entities that are common in text, without & and ;.
constexpr std::array<std::string_view, 20> kNames{
    "quot",  "amp",   "lt",    "gt",    "nbsp",  "apos",  "copy",  "reg",   "euro", "deg",
    "ndash", "mdash", "lsquo", "rsquo", "ldquo", "rdquo", "laquo", "raquo", "bull", "hellip"};

bool is_name(std::string_view name) {
  if (!name.starts_with('#')) return std::ranges::find(kNames, name) != kNames.end();
  name.remove_prefix(1);
  std::string_view digits = "0123456789";
  if (name.starts_with('x') || name.starts_with('X')) {
    name.remove_prefix(1);
    digits = "0123456789abcdefABCDEF";
  }
  return !name.empty() && name.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace

std::uint64_t count_html_entities(const Sentence& sentence) {
  constexpr std::size_t kMaxName = 8;
  const std::string_view text = sentence.characters();
  std::uint64_t count = 0;
  std::size_t token = 0;
  std::size_t token_end = 0;  // in `text`
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::size_t end = text.substr(0, at + kMaxName + 2).find(';', at);
    if (end == std::string_view::npos || !is_name(text.substr(at + 1, end - at - 1))) continue;
    while (token_end <= at) token_end += sentence.token(token++).size();
    // The tokens of an entity are glued together.
    bool glued = true;
    for (std::size_t last = token_end, next = token; last <= end; ++next) {
      last += sentence.token(next).size();
      glued = glued && sentence.spans()[next - 1].end == sentence.spans()[next].begin;
    }
    count += glued ? 1 : 0;
  }
  return count;
}

}  // namespace elmo
