// Affine maps of rows, ReLU, and the feed-forward layer made of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Applies ReLU in place. NaN stays NaN. Any thread.
void relu(std::span<float> values);

/// The gradient of relu() and of a drop() after it, in place. `values` are the results. `gradient`
/// becomes 0 where they are 0 and is multiplied by `kept` elsewhere: kept_factor(), or 1 without
/// dropout. Any thread.
void relu_backward(const Matrix& values, float kept, Matrix& gradient);

/// y = x·W + b for each row x, with W [inputs, outputs] and b [outputs]. Not for two threads at
/// once.
class Affine {
 public:
  /// Parameters NAME/W and NAME/b, all zero.
  Affine(const std::string& name, std::int64_t inputs, std::int64_t outputs);

  std::int64_t inputs() const { return weights_.shape[0]; }
  std::int64_t outputs() const { return weights_.shape[1]; }
  std::vector<Parameter*> parameters() { return {&weights_, &bias_}; }

  /// Sets Glorot weights and zero biases.
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, outputs]. `input` [rows, inputs] must not change until backward.
  void forward(const Matrix& input, Matrix& to);

  /// Computes the same in parallel, for many rows. Results do not depend on the number of workers.
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

/// max(x·W + b, 0) followed by dropout. Not for two threads at once.
class RectifiedLayer {
 public:
  /// `mask_id` is the id of its dropout mask, unique in the model.
  RectifiedLayer(const std::string& name, std::int64_t inputs, std::int64_t outputs, float dropout,
                 std::uint32_t mask_id)
      : linear_(name, inputs, outputs), dropout_(dropout), mask_id_(mask_id) {}

  std::int64_t inputs() const { return linear_.inputs(); }
  std::int64_t outputs() const { return linear_.outputs(); }
  std::vector<Parameter*> parameters() { return linear_.parameters(); }
  void initialize(std::uint64_t seed) { linear_.initialize(seed); }

  /// Replaces `to` [rows, outputs()]. `to` and `input` must not change until backward.
  void forward(const Matrix& input, const PassOptions& options, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  Affine linear_;
  float dropout_;
  std::uint32_t mask_id_;
  const Matrix* outputs_ = nullptr;
};

}  // namespace elmo
