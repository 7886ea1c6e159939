// A matrix that is computed row by row and then multiplied several times.
#pragma once

#include <cstdint>

#include "core/kernels/precision.h"
#include "core/tensor/aligned.h"

namespace elmo {

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

}  // namespace elmo
