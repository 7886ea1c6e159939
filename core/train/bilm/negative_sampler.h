// Samples of the vocabulary for the sampled softmax.
#pragma once

#include <cstdint>
#include <vector>

namespace elmo {

/// Distinct rows of the softmax, and the number of draws, to correct for their frequency.
struct NegativeSample {
  std::vector<std::int32_t> ids;  ///< S, distinct, ascending
  std::uint64_t draws = 0;        ///< number of draws with repetition until S rows were distinct
  std::int64_t vocabulary = 0;    ///< V, number of rows to draw from

  /// log of the expected count of `id` among the draws, log(1 − (1 − P(id))^draws); 0 if every row
  /// is drawn.
  float log_expected_count(std::int32_t id) const;
};

/// Draws rows 0 … V−1 with P(k) = log((k+2)/(k+1)) / log(V+1) (log-uniform, Zipf's law for a
/// vocabulary sorted by frequency), without repetition, as TensorFlow's
/// log_uniform_candidate_sampler does with unique = true. Immutable; any thread.
class NegativeSampler {
 public:
  /// `samples` ≤ vocabulary. If they are equal, every row is drawn.
  NegativeSampler(std::int64_t vocabulary, std::int64_t samples);

  /// Depends on seed and step only.
  NegativeSample draw(std::uint64_t seed, std::uint64_t step) const;

 private:
  std::int64_t vocabulary_;
  std::int64_t samples_;
};

}  // namespace elmo
