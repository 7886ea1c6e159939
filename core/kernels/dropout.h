// Dropout with a counter-based generator. The mask is a function of key and position, so it need
// not be stored for the gradient or in a checkpoint.
#pragma once

#include <cstdint>

namespace elmo {

/// Identifies a mask: by the run's seed, the step and the mask's id in the model.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint32_t place = 0;
};

/// Sets to[i] = from[i] / (1 − rate) with probability 1 − rate, else 0 (Srivastava et al. 2014).
/// Requires 0 ≤ rate < 1. The draw for i is a function of key and i (Philox 4x32-10, Salmon et al.
/// 2011). `to` may be `from`. To get the gradient, apply it to the gradient of the outputs. Any
/// thread.
void dropout(const DropoutKey& key, float rate, const float* from, std::int64_t size, float* to);

/// As above for a part of the values: from[0] is the value of i = `first`.
void dropout(const DropoutKey& key, float rate, std::int64_t first, const float* from,
             std::int64_t size, float* to);

}  // namespace elmo
