// Conversions between number formats, by vector code chosen at run time.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// IEEE 754 binary16, round to nearest even; values beyond its range become infinities.
/// `to` has the size of `from`. Any thread.
void to_float16(std::span<const float> from, std::span<std::uint16_t> to);

/// The numbers that these float16 are, exactly. `to` has the size of `from`. Any thread.
void from_float16(std::span<const std::uint16_t> from, std::span<float> to);

/// bfloat16, round to nearest even. `to` has the size of `from`. Any thread.
void to_bfloat16(std::span<const float> from, std::span<std::uint16_t> to);

/// The numbers that these bfloat16 are, exactly. `to` has the size of `from`. Any thread.
void from_bfloat16(std::span<const std::uint16_t> from, std::span<float> to);

}  // namespace elmo
