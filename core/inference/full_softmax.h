// The softmax over a whole vocabulary, computed in tiles of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/kernels/packed_matrix.h"
#include "core/matrix.h"
#include "core/model/parameters.h"

namespace elmo {

/// A word to predict from a context.
struct SoftmaxTarget {
  std::uint32_t context = 0;
  std::int32_t word = 0;   ///< row of the softmax
  std::size_t result = 0;  ///< where its log probability goes
};

/// The weights of a softmax, packed in tiles of the vocabulary. A context is an activation of the
/// last layer, [P], in either direction. Its results do not depend on other contexts. Immutable;
/// any thread, each with a workspace of its own.
class FullSoftmax {
 public:
  /// Contexts and words whose logits are computed together: 1 MiB, which fits into a core's L2
  /// cache.
  static constexpr std::size_t kBlockContexts = 256;
  static constexpr std::int64_t kTileWords = 1024;

  /// Working memory. Not for two threads at once.
  struct Workspace {
    GemmWorkspace gemm;
    AlignedVector<float> contexts;  // [kBlockContexts, P]
    AlignedVector<float> logits;    // [kBlockContexts, kTileWords]
    std::vector<float> maximum;     // [contexts]
    std::vector<double> sum;        // [contexts]
    std::vector<float> targets;     // logits
  };

  /// The products of some contexts with the weights of consecutive words. A logit is the sum of
  /// product and bias.
  struct Tile {
    std::int64_t first = 0;  ///< row of the first word
    std::int64_t words = 0;
    const float* products = nullptr;  ///< [contexts, words]
    const float* bias = nullptr;      ///< [words]
  };

  /// Packs `softmax`, which must outlive this object, for activations of `width` numbers (P).
  /// InputError if it has another width.
  FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width);

  const Vocabulary& vocabulary() const { return softmax_.vocabulary; }

  /// Calls `each` for all tiles, in the order of the words. At most kBlockContexts contexts.
  void for_each_tile(std::span<const float* const> contexts, Workspace& workspace,
                     const std::function<void(const Tile& tile)>& each) const;

  /// Writes ln p of each target to its place in `results`. At most kBlockContexts contexts.
  /// NumericError for logits that no trained softmax gives.
  void log_probabilities(std::span<const float* const> contexts,
                         std::span<const SoftmaxTarget> targets, double* results,
                         Workspace& workspace) const;

 private:
  const SoftmaxLayer& softmax_;
  std::vector<PackedMatrix> tiles_;
};

/// NumericError for a logit that no trained softmax gives.
void require_plausible_logit(float logit);

}  // namespace elmo
