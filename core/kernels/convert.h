// Conversions between number formats, with vector code chosen at run time.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// Converts to IEEE 754 binary16, rounding to nearest even. Values beyond its range become
/// infinities. `to` has the size of `from`. Any thread.
void to_float16(std::span<const float> from, std::span<std::uint16_t> to);

/// Converts from float16, exactly. `to` has the size of `from`. Any thread.
void from_float16(std::span<const std::uint16_t> from, std::span<float> to);

/// Converts to bfloat16, rounding to nearest even. `to` has the size of `from`. Any thread.
void to_bfloat16(std::span<const float> from, std::span<std::uint16_t> to);

/// Converts from bfloat16, exactly. `to` has the size of `from`. Any thread.
void from_bfloat16(std::span<const std::uint16_t> from, std::span<float> to);

}  // namespace elmo
