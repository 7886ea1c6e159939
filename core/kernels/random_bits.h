// Random numbers by place instead of by turn, so that no generator has a state to be saved.
#pragma once

#include <cstdint>

namespace elmo {

/// What random numbers of a run are for: each use has a sequence of its own.
enum class RandomUse : std::uint64_t {
  shuffle = 1,
  negatives = 2,
  unknown_words = 3,
  bootstrap = 4,
  sample = 5
};

/// Number `counter` of the sequence that begins at `key`: SplitMix64 (Steele, Lea and Flood 2014),
/// entered anywhere.
inline std::uint64_t random_bits(std::uint64_t key, std::uint64_t counter) {
  std::uint64_t bits = key + (counter + 1) * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

/// The key of one use in one epoch or step of the run of a seed.
inline std::uint64_t random_key(std::uint64_t seed, RandomUse use, std::uint64_t turn) {
  return random_bits(random_bits(seed, static_cast<std::uint64_t>(use)), turn);
}

}  // namespace elmo
