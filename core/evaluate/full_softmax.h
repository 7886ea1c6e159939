// The softmax over a whole vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/model/softmax_layer.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// An activation and the word that it is to predict.
struct Prediction {
  const float* activation;  ///< [P]
  std::int32_t target;      ///< row of the softmax
};

/// What one thread computes in. Not for two threads at once.
struct FullSoftmaxWorkspace {
  GemmWorkspace gemm;
  AlignedVector<float> activations;  // [kBlockRows, P]
  AlignedVector<float> logits;       // [kBlockRows, kTileWords]
  AlignedVector<float> maximum;      // [kBlockRows]
  AlignedVector<double> sum;         // [kBlockRows]
  AlignedVector<float> target;       // [kBlockRows] logits
};

/// A softmax's weights, packed in tiles of the vocabulary. Immutable, so threads may share it.
class FullSoftmax {
 public:
  // Predictions and words whose logits are computed together: 1 MiB, which a core's L2 cache holds.
  static constexpr std::int64_t kBlockRows = 256;
  static constexpr std::int64_t kTileWords = 1024;

  /// Packs `softmax`, which has to outlive it, for activations of `width` numbers (P).
  FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width);

  /// ln p of the target of each of at most kBlockRows predictions, in their order.
  void log_probabilities(std::span<const Prediction> predictions, double* result,
                         FullSoftmaxWorkspace& workspace) const;

 private:
  std::vector<PackedMatrix> tiles_;
  std::span<const float> bias_;
  std::int64_t width_;
};

}  // namespace elmo
