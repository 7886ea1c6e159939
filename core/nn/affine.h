// Affine maps of rows in parallel on workers, with their parts: products, ReLU, and the division of
// rows among workers; and a feed-forward layer made of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/kernels/product.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Calls work(first, end) for pieces of consecutive rows, in parallel. The pieces depend on the
/// number of rows only, so results do not depend on the number of workers.
template <typename Work>
void for_row_pieces(std::int64_t rows, Workers& workers, Work work) {
  constexpr std::int64_t kPieces = 8;
  // Products of fewer rows do not run at full speed.
  constexpr std::int64_t kMinRows = 48;
  const std::int64_t pieces = std::clamp<std::int64_t>(rows / kMinRows, 1, kPieces);
  workers.run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
    const std::int64_t first = rows * static_cast<std::int64_t>(piece) / pieces;
    const std::int64_t end = rows * (static_cast<std::int64_t>(piece) + 1) / pieces;
    if (first < end) work(first, end);
  });
}

/// The number of blocks of `block` elements in `size`; the last may be smaller.
constexpr std::int64_t block_count(std::int64_t size, std::int64_t block) {
  return (size + block - 1) / block;
}

/// Calls work(first, end) for each of these blocks, in parallel.
template <typename Work>
void for_blocks(std::int64_t size, std::int64_t block, Workers& workers, const Work& work) {
  workers.run(static_cast<std::size_t>(block_count(size, block)), [&](std::size_t number) {
    const std::int64_t first = static_cast<std::int64_t>(number) * block;
    work(first, std::min(first + block, size));
  });
}

/// Applies ReLU in place. NaN stays NaN. Any thread.
void relu(Matrix& values);

/// The gradient of relu() and of a drop() after it, in place. `values` are the results. `gradient`
/// becomes 0 where they are 0 and is multiplied by `kept` elsewhere: kept_factor(), or 1 without
/// dropout. Any thread.
void relu_backward(const Matrix& values, float kept, Matrix& gradient);

/// multiply() in pieces of consecutive rows of c, in parallel. The pieces depend on m only, so the
/// result does not depend on the number of workers. c must not overlap a and b.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result, Workers& workers);

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

/// max(x·W + b, 0) followed by dropout. Not for two threads at once.
class RectifiedLayer {
 public:
  /// `place` is the id of its dropout mask, unique in the model.
  RectifiedLayer(const std::string& name, std::int64_t inputs, std::int64_t outputs, float dropout,
                 std::uint32_t place)
      : linear_(name, inputs, outputs), dropout_(dropout), place_(place) {}

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
  Linear linear_;
  float dropout_;
  std::uint32_t place_;
  const Matrix* outputs_ = nullptr;
};

}  // namespace elmo
