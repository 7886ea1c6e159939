#include "core/train/bilm/training_step.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace elmo {

NegativeSample draw_negatives(std::int64_t vocabulary, std::int64_t samples, std::uint64_t seed,
                              std::uint64_t step) {
  NegativeSample sample;
  sample.vocabulary = vocabulary;
  if (samples == vocabulary) {
    sample.ids.resize(static_cast<std::size_t>(samples));
    std::iota(sample.ids.begin(), sample.ids.end(), 0);
    sample.draws = static_cast<std::uint64_t>(samples);
    return sample;
  }

  // A bitmap with one bit per row makes draws distinct and lists them in order.
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> drawn(static_cast<std::size_t>(vocabulary) / kBits + 1);
  const std::uint64_t key = random_key(seed, RandomUse::negatives, step);
  const double log_range = std::log1p(static_cast<double>(vocabulary));
  for (std::int64_t distinct = 0; distinct < samples; ++sample.draws) {
    // Inverse of P's distribution function log(k + 1) / log(V + 1), at a number in [0, 1).
    const double uniform = static_cast<double>(random_bits(key, sample.draws) >> 11U) * 0x1p-53;
    const auto row = static_cast<std::size_t>(
        std::min(static_cast<std::int64_t>(std::exp(uniform * log_range)) - 1, vocabulary - 1));
    const std::uint64_t bit = std::uint64_t{1} << (row % kBits);
    if ((drawn[row / kBits] & bit) != 0) continue;
    drawn[row / kBits] |= bit;
    ++distinct;
  }

  sample.ids.reserve(static_cast<std::size_t>(samples));
  for (std::size_t word = 0; word < drawn.size(); ++word) {
    for (std::uint64_t bits = drawn[word]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
      sample.ids.push_back(static_cast<std::int32_t>(word * kBits + bit));
    }
  }
  return sample;
}

float NegativeSample::log_expected_count(std::int32_t id) const {
  if (static_cast<std::int64_t>(ids.size()) == vocabulary) return 0.0F;
  const double probability = std::log1p(1.0 / (static_cast<double>(id) + 1.0)) /
                             std::log1p(static_cast<double>(vocabulary));
  return static_cast<float>(
      std::log(-std::expm1(static_cast<double>(draws) * std::log1p(-probability))));
}

}  // namespace elmo
