// The bytes of a value, as they are stored in files.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace elmo {

/// The bytes of `value` in memory; valid as long as `value` is.
template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace elmo
