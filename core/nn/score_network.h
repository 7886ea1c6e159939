// A number for each row: a small feed-forward network above the sums of its first layer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// w · max(max(z, 0)·W + b, 0) + c for the sums z of each row, with dropout behind both rectified
/// layers: the networks of two hidden layers of Lee et al. 2017 (section 4), of which whoever calls
/// makes the first one's sums, as that layer's inputs may be shared by many rows. Not for two
/// threads at once.
class ScoreNetwork {
 public:
  /// Parameters NAME/hidden/W [columns, columns], NAME/hidden/b [columns], NAME/score/W [columns]
  /// and NAME/score/b [1], all zero. `place` and the next one distinguish its dropout masks.
  ScoreNetwork(const std::string& name, std::int64_t columns, float dropout, std::uint32_t place);

  std::int64_t columns() const { return hidden_bias_.shape[0]; }
  std::vector<Parameter*> parameters();
  /// Glorot's weights, biases of zero.
  void initialize(std::uint64_t seed);

  /// Replaces `scores` [rows]. `sums` [rows, columns] become what the first layer gives, and have
  /// to stay so until backward.
  void forward(Matrix& sums, const PassOptions& options, Workers& workers,
               AlignedVector<float>& scores);

  /// The scores of `rows` rows without dropout and without keeping anything, `hidden` being room
  /// that is made as large as it has to be. Any thread, as long as nothing changes the parameters.
  void score(float* sums, std::int64_t rows, AlignedVector<float>& hidden, float* scores) const;

  /// `gradient` [rows]: with respect to the scores. Replaces that with respect to the sums.
  void backward(const AlignedVector<float>& gradient, const PassOptions& options, Workers& workers,
                Matrix& sum_gradient);

 private:
  float dropout_;
  std::uint32_t place_;
  Parameter hidden_weights_;
  Parameter hidden_bias_;
  Parameter score_weights_;
  Parameter score_bias_;

  const Matrix* first_ = nullptr;  // what the first layer gives
  Matrix hidden_;                  // [rows, columns], what the second gives
  Matrix hidden_gradient_;
};

}  // namespace elmo
