// Products of float inputs with weights of any precision.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/kernels/gemm.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Converts `rows` rows of `columns` floats, `stride` apart, to the input format of products in
/// `precision`, and writes them to `to` without gaps. int8 also writes the scale of each row to
/// `scales`; other precisions do not use it. Any thread.
void convert_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  Precision precision, std::byte* to, float* scales);

/// The left operand of products, converted once for all products with it. Keeps its memory. Not for
/// two threads at once.
class FloatProduct {
 public:
  /// Sets the left operand `a` [rows, columns], for products with weights in `precision`. `a` has
  /// no gaps and has room for GemmWorkspace::padded_rows(rows) rows. In float32, multiply() reads
  /// `a` itself.
  void set_input(const float* a, std::int64_t rows, std::int64_t columns, Precision precision);

  /// Computes c [rows, N] = a · w. `c` has room for padded_rows(rows) rows.
  void multiply(const PackedMatrix& w, float* c, GemmWorkspace& workspace);

 private:
  const void* input_ = nullptr;
  std::int64_t rows_ = 0;
  AlignedVector<std::byte> converted_;
  AlignedVector<float> scales_;       // int8
  AlignedVector<std::int32_t> sums_;  // int8
};

}  // namespace elmo
