#include "core/evaluate/full_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/softmax.h"

namespace elmo {

FullSoftmax::FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width)
    : bias_(softmax.bias.values), width_(width) {
  const std::int64_t words = softmax.vocabulary.size();
  AlignedVector<float> transposed(static_cast<std::size_t>(width * kTileWords));
  for (std::int64_t first = 0; first < words; first += kTileWords) {
    const std::int64_t count = std::min(kTileWords, words - first);
    for (std::int64_t word = 0; word < count; ++word) {
      const float* row = softmax.weights.values.data() + (first + word) * width;
      for (std::int64_t k = 0; k < width; ++k) {
        transposed[static_cast<std::size_t>(k * kTileWords + word)] = row[k];
      }
    }
    tiles_.emplace_back(transposed.data(), width, count, kTileWords, Precision::float32);
  }
}

void FullSoftmax::log_probabilities(std::span<const Prediction> predictions, double* result,
                                    FullSoftmaxWorkspace& workspace) const {
  const auto rows = static_cast<std::int64_t>(predictions.size());
  grow(workspace.activations, kBlockRows * width_);
  grow(workspace.logits, kBlockRows * kTileWords);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(predictions[static_cast<std::size_t>(row)].activation, width_,
                workspace.activations.data() + row * width_);
  }
  workspace.maximum.assign(predictions.size(), -std::numeric_limits<float>::infinity());
  workspace.sum.assign(predictions.size(), 0.0);
  workspace.target.resize(predictions.size());

  std::int64_t first = 0;
  for (const PackedMatrix& tile : tiles_) {
    const std::int64_t words = tile.columns();
    const float* bias = bias_.data() + first;
    workspace.gemm.multiply(workspace.activations.data(), tile, workspace.logits.data(), rows,
                            false);
    accumulate_exponentials(workspace.logits.data(), rows, words, words, bias,
                            workspace.maximum.data(), workspace.sum.data());
    for (std::size_t row = 0; row < predictions.size(); ++row) {
      const std::int64_t column = predictions[row].target - first;
      if (column < 0 || column >= words) continue;
      workspace.target[row] =
          workspace
              .logits[row * static_cast<std::size_t>(words) + static_cast<std::size_t>(column)] +
          bias[column];
    }
    first += words;
  }
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    result[row] = double{workspace.target[row]} -
                  (double{workspace.maximum[row]} + std::log(workspace.sum[row]));
  }
}

}  // namespace elmo
