// The words that a biLM expects between two contexts (Amrami and Goldberg 2018).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/full_softmax.h"

namespace elmo {

/// A word of the vocabulary, by its row, and its ln p.
struct Substitute {
  std::int64_t row = 0;
  double log_probability = 0.0;
};

/// The most probable words of a gap, best first; of equally probable words, the one that is earlier
/// in the vocabulary. `both`: p(w | left) · p(w | right), normalized over the vocabulary.
struct Substitutes {
  std::vector<Substitute> forward;
  std::vector<Substitute> backward;
  std::vector<Substitute> both;
};

/// Maximum number of gaps that find_substitutes() takes.
inline constexpr std::size_t kMaxGaps = FullSoftmax::kBlockContexts / 2;

/// Finds the `count` best words of each gap. `left` are the forward activations of the last layer
/// before the gaps, `right` the backward ones after them, [P] each. `<S>`, `</S>` and `<UNK>` count
/// in the normalization but are no substitutes. Any thread, each with a workspace of its own.
/// Errors: as FullSoftmax::log_probabilities.
std::vector<Substitutes> find_substitutes(const FullSoftmax& softmax,
                                          std::span<const float* const> left,
                                          std::span<const float* const> right, std::size_t count,
                                          FullSoftmax::Workspace& workspace);

}  // namespace elmo
