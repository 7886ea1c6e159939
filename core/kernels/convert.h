// Conversions between number formats, by vector code chosen at run time.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// IEEE 754 binary16, round to nearest even; values beyond its range become infinities.
/// `to` has the size of `from`. Any thread.
void to_float16(std::span<const float> from, std::span<std::uint16_t> to);

/// bfloat16, round to nearest even. `to` has the size of `from`. Any thread.
void to_bfloat16(std::span<const float> from, std::span<std::uint16_t> to);

}  // namespace elmo
