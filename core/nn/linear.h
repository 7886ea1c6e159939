// An affine map of rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"

namespace elmo {

/// y = x·W + b for each row x, with W [inputs, outputs] and b [outputs]. Not for two threads at
/// once.
class Linear {
 public:
  /// Parameters are named NAME/W and NAME/b; all are zero.
  Linear(const std::string& name, std::int64_t inputs, std::int64_t outputs);

  std::int64_t inputs() const { return weights_.shape[0]; }
  std::int64_t outputs() const { return weights_.shape[1]; }
  std::vector<Parameter*> parameters() { return {&weights_, &bias_}; }

  /// Glorot's weights, biases of zero.
  void initialize(std::uint64_t seed);

  /// `to` [rows, outputs] is replaced. `input` [rows, inputs] has to stay as it is until backward.
  void forward(const Matrix& input, Matrix& to);

  /// The same side by side, for many rows. Results do not depend on the number of workers.
  void forward(const Matrix& input, Workers& workers, Matrix& to);

  /// `gradient` [rows, outputs]. Replaces `input_gradient` [rows, inputs] unless it is null.
  void backward(const Matrix& gradient, Matrix* input_gradient);
  void backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient);

 private:
  void forward_rows(std::int64_t first, std::int64_t rows, Matrix& to) const;
  void weight_gradient(const Matrix& gradient, std::int64_t first, std::int64_t count);
  void input_gradient_rows(const Matrix& gradient, std::int64_t first, std::int64_t rows,
                           Matrix& input_gradient) const;

  Parameter weights_;
  Parameter bias_;
  const Matrix* input_ = nullptr;
};

}  // namespace elmo
