// Text and numbers as JSON spells them.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "io/json/number_text.h"

namespace elmo {

/// In quotes, with what has to be escaped; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

/// Likewise in ASCII, for messages.
std::string ascii_json_text(std::string_view text);

/// The shortest text that reads back as the same number. JSON has no infinities and no NaN: null.
template <typename Number>
std::string json_number(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return "null";
  }
  return number_text(number);
}

}  // namespace elmo
