// Numbers as text that reads back as the same number.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace elmo {

/// The shortest text that reads back as the same number: "0.1", "1e-07", "12", "inf".
template <typename Number>
std::string number_text(Number number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

}  // namespace elmo
