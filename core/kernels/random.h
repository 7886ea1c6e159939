// Counter-based random numbers, and dropout and shuffled orders made of them. There is no generator
// state to save: a dropout mask is a function of key and position, so it need not be stored for the
// gradient or in a checkpoint.
#pragma once

#include <cstdint>

namespace elmo {

/// The purposes of random numbers in a run. Each has its own sequence.
enum class RandomUse : std::uint64_t {
  shuffle = 1,
  negatives = 2,
  unknown_words = 3,
  bootstrap = 4,
  sample = 5
};

/// Returns number `counter` of the sequence with key `key`: SplitMix64 (Steele, Lea and Flood 2014)
/// with random access.
inline std::uint64_t random_bits(std::uint64_t key, std::uint64_t counter) {
  std::uint64_t bits = key + (counter + 1) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

/// Returns the key of one use in one epoch or step (`turn`) of a run with this seed.
inline std::uint64_t random_key(std::uint64_t seed, RandomUse use, std::uint64_t turn) {
  return random_bits(random_bits(seed, static_cast<std::uint64_t>(use)), turn);
}

/// Identifies a mask: by the run's seed, the step and the mask's id in the model.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint32_t mask_id = 0;
};

/// Sets to[k] = from[k] / (1 − rate) with probability 1 − rate, else 0 (Srivastava et al. 2014).
/// Requires 0 ≤ rate < 1. The draw is a function of `key` and the position `first` + k
/// (Philox 4x32-10, Salmon et al. 2011). `to` may be `from`. To get the gradient, apply it to the
/// gradient of the outputs. Any thread.
void dropout(const DropoutKey& key, float rate, std::int64_t first, const float* from,
             std::int64_t size, float* to);

/// A permutation of 0 … size−1, computed one element at a time: a Feistel network (Luby and Rackoff
/// 1988) over the next larger power of four, applied repeatedly until the result is in range (cycle
/// walking, Black and Rogaway 2002). Immutable; any thread.
class Permutation {
 public:
  /// `size` is at least 1 and at most 2^62. `key` selects the permutation.
  Permutation(std::uint64_t size, std::uint64_t key);

  /// `index` < size. Takes at most four network evaluations on average.
  std::uint64_t operator()(std::uint64_t index) const;

 private:
  std::uint64_t network(std::uint64_t value) const;

  std::uint64_t size_;
  std::uint64_t key_;
  unsigned half_bits_;
};

}  // namespace elmo
