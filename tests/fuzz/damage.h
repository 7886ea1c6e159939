// Changes to a valid file, encoded in a fuzzer's input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace elmo {

/// One change: position (24 bits), kind and value.
inline constexpr std::size_t kChangeBytes = 5;

inline void change(std::string& file, const std::uint8_t* how) {
  std::size_t place = how[0] | std::size_t{how[1]} << 8U | std::size_t{how[2]} << 16U;
  place %= file.size();
  const char value = static_cast<char>(how[4]);
  const std::size_t eight = std::min<std::size_t>(8, file.size() - place);
  switch (how[3] % 5) {
    case 0:
      file[place] = value;
      break;
    case 1:
      file[place] =
          static_cast<char>(static_cast<unsigned char>(file[place]) ^ (1U << (how[4] % 8U)));
      break;
    case 2:
      file[place] = static_cast<char>(file[place] + value % 16);
      break;
    case 3:  // replaces a number: small, large, or all ones
      std::memset(&file[place], value % 2 == 0 ? 0 : -1, eight);
      file[place] = value;
      break;
    case 4:  // replaces a position in the file
      std::memmove(&file[place], &file[(place * 31 + how[4]) % (file.size() - eight)], eight);
      break;
  }
}

/// Returns all changes that `input` encodes; a remaining byte truncates the file.
inline void damage(std::string& file, std::span<const std::uint8_t> input) {
  for (std::size_t at = 0; at + kChangeBytes <= input.size(); at += kChangeBytes) {
    change(file, input.data() + at);
  }
  if (input.size() % kChangeBytes == 1) file.resize(file.size() * input.back() / 256);
}

}  // namespace elmo
