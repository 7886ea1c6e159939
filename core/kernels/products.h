// Matrix products of a biLM's training step: of float32, or of inputs rounded to bfloat16.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/operand.h"
#include "core/kernels/precision.h"
#include "core/kernels/sgemm.h"

namespace elmo {

/// Weights [K, N] as they are during one step, packed for many products with them. Not for two
/// threads at once.
class StepWeights {
 public:
  /// For products of that precision.
  explicit StepWeights(Precision precision);
  ~StepWeights();
  StepWeights(StepWeights&&) noexcept;
  StepWeights& operator=(StepWeights&&) noexcept;

  /// Packs `values` [rows, columns], rounded in bfloat16, in place of those before; they have to
  /// stay, for float32 is read where it is on CPUs that gain nothing by packing. Memory is kept,
  /// and what one shape needs is made once. std::bad_alloc.
  void set(MatrixView values, std::int64_t rows, std::int64_t columns);

 private:
  friend class Products;
  struct Packed;
  MatrixView values_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::unique_ptr<Packed> packed_;
};

/// Where one thread multiplies. With bfloat16 both inputs are rounded to it (to nearest even) and
/// the products are summed in float32, as Micikevicius et al. 2018 train with float16 (bfloat16
/// has float32's exponents and needs no scaling of the loss). Always called from threads that may
/// use as many threads of oneDNN's. Not for two threads at once.
class Products {
 public:
  /// RequestError for int8, which gradients do not fit, and for what this CPU does not support.
  explicit Products(Precision precision);
  ~Products();
  Products(Products&&) noexcept;
  Products& operator=(Products&&) noexcept;

  Precision precision() const { return precision_; }

  /// c [m, n] = a [m, k] · b [k, n], row-major, rows of c `stride` apart. std::bad_alloc.
  void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k,
                float* c, std::int64_t stride, Result result);

  /// c [m, N] = a [m, K] · w, of m rows of a from `first` on; rows of c without gaps.
  /// std::bad_alloc.
  void multiply(const Operand& a, std::int64_t first, std::int64_t m, const StepWeights& w,
                float* c, Result result);

  /// c [K, N] = inputsᵀ · gradients, of the first `rows` rows of both: the gradient of weights that
  /// multiplied [rows, K] to what has the gradient [rows, N]. Rows of c without gaps.
  /// std::bad_alloc.
  void weight_gradient(const Operand& inputs, const Operand& gradients, std::int64_t rows, float* c,
                       Result result);

 private:
  struct Workspace;
  Precision precision_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace elmo
