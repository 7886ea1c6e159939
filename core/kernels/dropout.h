// Dropout by a counter-based generator: the mask is a function of key and position, so that it need
// not be kept for the gradient, nor in a checkpoint.
#pragma once

#include <cstdint>

namespace elmo {

/// Which mask: of which run, of which step, of which place in the model.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint32_t place = 0;
};

/// to[i] = from[i] / (1 − rate) with probability 1 − rate, else 0 (Srivastava et al. 2014), for
/// 0 ≤ rate < 1. The draw for i is a function of key and i (Philox 4x32-10, Salmon et al. 2011).
/// `to` may be `from`. Applied to a gradient, it is its own gradient. Any thread.
void dropout(const DropoutKey& key, float rate, const float* from, std::int64_t size, float* to);

/// The same for a part of the values: from[0] is that of i = `first`.
void dropout(const DropoutKey& key, float rate, std::int64_t first, const float* from,
             std::int64_t size, float* to);

}  // namespace elmo
