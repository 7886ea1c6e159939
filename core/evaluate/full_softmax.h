// Softmax over a whole vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/model/softmax_layer.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// An activation and the word that it should predict.
struct Prediction {
  const float* activation;  ///< [P]
  std::int32_t target;      ///< row of the softmax
};

/// Working memory of one thread. Not for two threads at once.
struct FullSoftmaxWorkspace {
  GemmWorkspace gemm;
  AlignedVector<float> activations;  // [kBlockRows, P]
  AlignedVector<float> logits;       // [kBlockRows, kTileWords]
  AlignedVector<float> maximum;      // [kBlockRows]
  AlignedVector<double> sum;         // [kBlockRows]
  AlignedVector<float> target;       // [kBlockRows] logits
};

/// Weights of a softmax, packed in tiles of the vocabulary. Immutable; any thread.
class FullSoftmax {
 public:
  // Predictions and words whose logits are computed together: 1 MiB, which fits into a core's L2
  // cache.
  static constexpr std::int64_t kBlockRows = 256;
  static constexpr std::int64_t kTileWords = 1024;

  /// Packs `softmax`, which must outlive this object, for activations of `width` numbers (P).
  FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width);

  /// Writes ln p of the target of each prediction to `result`, in order. At most kBlockRows
  /// predictions.
  void log_probabilities(std::span<const Prediction> predictions, double* result,
                         FullSoftmaxWorkspace& workspace) const;

 private:
  std::vector<PackedMatrix> tiles_;
  std::span<const float> bias_;
  std::int64_t width_;
};

}  // namespace elmo
