// Random numbers for measurements.
#pragma once

#include <cstddef>
#include <random>

#include "core/matrix.h"

namespace elmo {

/// Returns random numbers from -size to size, the same on each call.
inline AlignedVector<float> random_values(std::size_t count, float size = 1.0F) {
  std::minstd_rand generator;
  constexpr float kHalf = static_cast<float>(std::minstd_rand::max()) / 2.0F;
  AlignedVector<float> values(count);
  for (float& value : values) value = size * (static_cast<float>(generator()) / kHalf - 1.0F);
  return values;
}

}  // namespace elmo
