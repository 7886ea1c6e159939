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
  /// Parameters NAME/W and NAME/b, all zero.
  Linear(const std::string& name, std::int64_t inputs, std::int64_t outputs);

  std::int64_t inputs() const { return weights_.shape[0]; }
  std::int64_t outputs() const { return weights_.shape[1]; }
  std::vector<Parameter*> parameters() { return {&weights_, &bias_}; }

  /// Sets Glorot weights and zero biases.
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, outputs]. `input` [rows, inputs] must not change until backward.
  void forward(const Matrix& input, Matrix& to);

  /// As above, in parallel, for many rows. Results do not depend on the number of workers.
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
