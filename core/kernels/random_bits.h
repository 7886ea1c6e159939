// Counter-based random numbers: there is no generator state to save.
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

}  // namespace elmo
