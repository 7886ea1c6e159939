// Matrix products with weights that change from step to step: oneDNN's sgemm, products of matrices
// that are computed row by row, and those of a biLM's training step, in float32 or with inputs
// rounded to bfloat16.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"
#include "core/matrix.h"

namespace elmo {

/// Returns whether this CPU has instructions for products in `precision`: AVX-512 BF16 or AMX for
/// bfloat16; AVX-512 VNNI, AVX-VNNI or AMX for int8. float32 is always supported.
bool is_supported(Precision precision);

/// Throws RequestError if `precision` is not supported.
void require_supported(Precision precision);

/// A row-major matrix, read as it is or transposed. `stride` is the distance between rows in
/// memory, at least their length.
struct MatrixView {
  const float* values = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

/// A product replaces the result (beta 0) or is added to it (beta 1).
enum class Result { replaced, added };

/// Computes c [m, n] = a [m, k] · b [k, n], row-major, rows of c `stride` apart. Uses the calling
/// thread's number of threads (set_threads_of_this_thread). m, n and k may be 0. Any thread.
void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result);

/// Rows in float32 and, for bfloat16 products, the same rows rounded once for all products. Not for
/// two threads at once.
class Operand {
 public:
  /// Makes room for [rows, columns]. May discard the contents.
  void resize(std::int64_t rows, std::int64_t columns, Precision precision);

  float* row(std::int64_t index) { return values_.data() + index * columns_; }
  const float* row(std::int64_t index) const { return values_.data() + index * columns_; }

  /// Rounds `count` rows from `first` on. Call it after computing rows and before multiplying them,
  /// preferably while they are in the cache. Does nothing in float32.
  void round(std::int64_t first, std::int64_t count);

 private:
  friend class Products;
  std::int64_t columns_ = 0;
  Precision precision_ = Precision::float32;
  AlignedVector<float> values_;           // [rows, columns]
  AlignedVector<std::uint16_t> rounded_;  // [rows, columns], bfloat16
};

/// Weights [K, N] of one step, packed for many products. Not for two threads at once.
class StepWeights {
 public:
  /// For products in `precision`.
  explicit StepWeights(Precision precision);
  ~StepWeights();
  StepWeights(StepWeights&&) noexcept;
  StepWeights& operator=(StepWeights&&) noexcept;

  /// Replaces the weights by `values` [rows, columns], packed; bfloat16 rounds them. `values` must
  /// stay valid and unchanged: CPUs that gain nothing by packing read float32 in place. Keeps its
  /// memory, and creates primitives once per shape. std::bad_alloc.
  void set(MatrixView values, std::int64_t rows, std::int64_t columns);

 private:
  friend class Products;
  struct Packed;
  MatrixView values_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::unique_ptr<Packed> packed_;
};

/// One thread's memory for products. bfloat16 rounds both inputs to nearest even and sums in
/// float32, as Micikevicius et al. 2018 do with float16. bfloat16 has the exponents of float32, so
/// the loss needs no scaling. All calling threads must use the same number of oneDNN threads. Not
/// for two threads at once.
class Products {
 public:
  /// RequestError for int8, which cannot hold gradients, and for precisions that this CPU does not
  /// support.
  explicit Products(Precision precision);
  ~Products();
  Products(Products&&) noexcept;
  Products& operator=(Products&&) noexcept;

  Precision precision() const { return precision_; }

  /// Computes c [m, n] = a [m, k] · b [k, n], row-major, rows of c `stride` apart. std::bad_alloc.
  void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k,
                float* c, std::int64_t stride, Result result);

  /// Computes c [m, N] = a [m, K] · w for m rows of a from `first` on. c has no gaps.
  /// std::bad_alloc.
  void multiply(const Operand& a, std::int64_t first, std::int64_t m, const StepWeights& w,
                float* c, Result result);

  /// Computes c [K, N] = inputsᵀ · gradients over the first `rows` rows of both: the gradient of
  /// weights whose product with inputs [rows, K] has the gradient [rows, N]. c has no gaps.
  /// std::bad_alloc.
  void weight_gradient(const Operand& inputs, const Operand& gradients, std::int64_t rows, float* c,
                       Result result);

 private:
  struct Workspace;
  Precision precision_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace elmo
