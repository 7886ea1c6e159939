// A score for each row: a small feed-forward network on top of its first layer's sums.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// w · max(max(z, 0)·W + b, 0) + c for the sums z of each row, with dropout after both ReLU layers:
/// the networks with two hidden layers of Lee et al. 2017 (section 4). The caller computes the
/// first layer's sums z, because many rows may share parts of its inputs. Not for two threads at
/// once.
class ScoreNetwork {
 public:
  /// Parameters NAME/hidden/W [columns, columns], NAME/hidden/b [columns], NAME/score/W [columns]
  /// and NAME/score/b [1], all zero. `place` and `place` + 1 are the ids of its dropout masks.
  ScoreNetwork(const std::string& name, std::int64_t columns, float dropout, std::uint32_t place);

  std::int64_t columns() const { return hidden_bias_.shape[0]; }
  std::vector<Parameter*> parameters();
  /// Sets Glorot weights and zero biases.
  void initialize(std::uint64_t seed);

  /// Replaces `scores` [rows]. Overwrites `sums` [rows, columns] with the first layer's outputs,
  /// which must not change until backward.
  void forward(Matrix& sums, const PassOptions& options, Workers& workers,
               AlignedVector<float>& scores);

  /// Computes the scores of `rows` rows without dropout and without keeping anything for backward.
  /// `hidden` is scratch memory and grows as needed. Any thread, while nothing changes the
  /// parameters.
  void score(float* sums, std::int64_t rows, AlignedVector<float>& hidden, float* scores) const;

  /// `gradient` [rows]: with respect to the scores. Replaces `sum_gradient`, the gradient with
  /// respect to the sums.
  void backward(const AlignedVector<float>& gradient, const PassOptions& options, Workers& workers,
                Matrix& sum_gradient);

 private:
  float dropout_;
  std::uint32_t place_;
  Parameter hidden_weights_;
  Parameter hidden_bias_;
  Parameter score_weights_;
  Parameter score_bias_;

  const Matrix* first_ = nullptr;  // outputs of the first layer
  Matrix hidden_;                  // [rows, columns], outputs of the second layer
  Matrix hidden_gradient_;
};

}  // namespace elmo
