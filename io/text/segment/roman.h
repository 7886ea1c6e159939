// Roman numerals.
#pragma once

#include <string_view>

namespace elmo {

/// True for a number from I to XXXIX in capitals: those of kings, centuries and chapters. Larger
/// ones look like abbreviations (CD, DC, MM).
constexpr bool is_roman_number(std::string_view word) {
  std::string_view rest = word;
  for (int tens = 0; tens < 3 && rest.starts_with('X'); ++tens) rest.remove_prefix(1);
  for (const std::string_view ones : {"IX", "IV", "VIII", "VII", "VI", "V", "III", "II", "I", ""}) {
    if (rest == ones) return !word.empty();
  }
  return false;
}

}  // namespace elmo
