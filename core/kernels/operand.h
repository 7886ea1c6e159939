// A matrix that is computed row by row and then multiplied, more than once.
#pragma once

#include <cstdint>

#include "core/kernels/precision.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Rows of float32 and, for products of bfloat16, the same rows rounded, once for all products.
/// Not for two threads at once.
class Operand {
 public:
  /// Makes room for [rows, columns]. What it held may be lost.
  void resize(std::int64_t rows, std::int64_t columns, Precision precision);

  float* row(std::int64_t index) { return values_.data() + index * columns_; }
  const float* row(std::int64_t index) const { return values_.data() + index * columns_; }

  /// Says that `count` rows from `first` on have been computed. They have to be rounded before they
  /// are multiplied, at best while they are in the cache; in float32 this does nothing.
  void round(std::int64_t first, std::int64_t count);

 private:
  friend class Products;
  std::int64_t columns_ = 0;
  Precision precision_ = Precision::float32;
  AlignedVector<float> values_;           // [rows, columns]
  AlignedVector<std::uint16_t> rounded_;  // likewise, of bfloat16
};

}  // namespace elmo
