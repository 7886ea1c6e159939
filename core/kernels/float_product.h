// Matrix products of floats in the precision of the weights, whatever that is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/kernels/gemm.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Writes `rows` rows of `columns` floats, `stride` apart, to `to` in the format that products of
/// that precision take, without gaps. int8 also writes the scale of each row to `scales`, which is
/// not used otherwise. Any thread.
void convert_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  Precision precision, std::byte* to, float* scales);

/// The rows on the left side of products, converted once for all weights that they meet. Keeps its
/// memory. Not for two threads at once.
class FloatProduct {
 public:
  /// Takes `a` [rows, columns], without gaps and with room for GemmWorkspace::padded_rows(rows)
  /// rows, for products with weights of that precision. In float32 `a` itself is read by them.
  void set_input(const float* a, std::int64_t rows, std::int64_t columns, Precision precision);

  /// c [rows, N] = a · w; `c` has room for padded_rows(rows) rows.
  void multiply(const PackedMatrix& w, float* c, GemmWorkspace& workspace);

 private:
  const void* input_ = nullptr;
  std::int64_t rows_ = 0;
  AlignedVector<std::byte> converted_;
  AlignedVector<float> scales_;       // int8
  AlignedVector<std::int32_t> sums_;  // int8
};

}  // namespace elmo
