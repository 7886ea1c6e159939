// Matrix products of operands that change from step to step, in float32 or rounded to bfloat16.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/workers.h"

namespace elmo {

/// Returns whether this CPU has instructions for products in `precision`: AVX-512 BF16 or AMX for
/// bfloat16; AVX-512 VNNI, AVX-VNNI, AMX or arm64's dot products for int8. float32 is always
/// supported.
bool is_supported(Precision precision);

/// Throws RequestError if `precision` is not supported.
void require_supported(Precision precision);

/// A product replaces the result (beta 0) or is added to it (beta 1).
enum class Beta { zero, one };

/// Computes c = a · b + beta · c. c must not be transposed. Uses the calling thread's number of
/// threads (set_threads_of_this_thread). Any number of rows and columns may be 0.
/// std::logic_error if the shapes do not match. Any thread.
void multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta = Beta::zero);

/// Computes the same in pieces of consecutive rows of c, in parallel. The pieces depend on c.rows
/// only, so the result does not depend on the number of workers. c must not overlap a and b.
void multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta, Workers& workers);

/// Rows in float32, with gaps, and, for bfloat16 products, the same rows rounded once for all
/// products. Not for two threads at once.
class Operand {
 public:
  /// Consecutive rows, as products read them.
  struct Rows {
    ConstFloatView values;
    const std::uint16_t* rounded = nullptr;  ///< null in float32
  };

  /// Makes room for [rows, columns]. May discard the contents.
  void resize(std::int64_t rows, std::int64_t columns, Precision precision);

  float* row(std::int64_t index) { return values_.data() + index * stride_; }
  const float* row(std::int64_t index) const { return values_.data() + index * stride_; }
  std::int64_t stride() const { return stride_; }  ///< distance between rows

  /// Rows [first, first + count), to be computed.
  FloatView view(std::int64_t first, std::int64_t count) {
    return {row(first), count, columns_, stride_};
  }

  /// Rows [first, first + count).
  Rows rows(std::int64_t first, std::int64_t count) const;

  /// Rounds `count` rows from `first` on. Call it after computing rows and before multiplying them,
  /// preferably while they are in the cache. Does nothing in float32.
  void round(std::int64_t first, std::int64_t count);

 private:
  std::int64_t columns_ = 0;
  std::int64_t stride_ = 0;
  Precision precision_ = Precision::float32;
  AlignedVector<float> values_;           // [rows, columns], rows stride_ apart
  AlignedVector<std::uint16_t> rounded_;  // [rows, columns], bfloat16
};

/// Weights [K, N] of one step, packed for many products. Not for two threads at once.
class StepWeights {
 public:
  /// For products in `precision`.
  explicit StepWeights(Precision precision);
  StepWeights(StepWeights&&) noexcept = default;
  StepWeights& operator=(StepWeights&&) noexcept = default;

  /// Replaces the weights by `values`, packed; bfloat16 rounds them. Keeps its memory, and creates
  /// primitives once per shape. std::bad_alloc.
  void set(ConstFloatView values);

 private:
  friend class Products;
  struct Packed;
  // Never shared; a unique_ptr would need the complete type here.
  std::shared_ptr<Packed> packed_;
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
  Products(Products&&) noexcept = default;
  Products& operator=(Products&&) noexcept = default;

  Precision precision() const { return precision_; }

  /// Computes c = a · b + beta · c. c must not be transposed. Any number of rows and columns may be
  /// 0. std::bad_alloc; std::logic_error if the shapes do not match.
  void multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta = Beta::zero);

  /// The same, but no dimension may be 0.
  void multiply(const Operand::Rows& a, const StepWeights& w, FloatView c, Beta beta = Beta::zero);

  /// Computes c = inputsᵀ · gradients + beta · c: the gradient of weights, from their inputs and
  /// the gradients of their products. Both begin at row 0 of their operands. Otherwise as above.
  void weight_gradient(const Operand::Rows& inputs, const Operand::Rows& gradients, FloatView c,
                       Beta beta = Beta::zero);

 private:
  struct Workspace;
  Precision precision_;
  // Never shared; a unique_ptr would need the complete type here.
  std::shared_ptr<Workspace> workspace_;
};

}  // namespace elmo
