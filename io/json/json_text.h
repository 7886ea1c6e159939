// Text and numbers in JSON notation.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "io/json/number_text.h"

namespace elmo {

/// Returns the text in quotes, with escapes; invalid UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

/// The same in ASCII, for messages.
std::string ascii_json_text(std::string_view text);

/// Returns the shortest text that reads back as the same number. Infinities and NaN, which JSON
/// does not have, become null.
template <typename Number>
std::string json_number(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return "null";
  }
  return number_text(number);
}

}  // namespace elmo
