// Exact integer products of bytes, with the dot products of arm64 processors.
#pragma once

#include <cstdint>
#include <span>

#include "core/matrix.h"

namespace elmo {

/// A matrix [K, N] of int8, stored for products with rows of uint8: in panels of columns, within
/// which the bytes that one instruction multiplies lie side by side. Immutable, so threads may
/// share it.
class BytePanels {
 public:
  /// Returns whether this processor has the instructions.
  static bool is_supported();

  BytePanels() = default;

  /// Copies values[k·columns + n]. offsets[n] is 128 · Σ_k values[k·columns + n].
  BytePanels(const std::int8_t* values, std::int64_t rows, std::int64_t columns,
             std::span<const std::int32_t> offsets);

  /// Computes c [rows, N] = a [rows, K] · this matrix, or adds to c with `accumulate`. Neither has
  /// gaps. Sums are exact if they fit in 32 bits. Any thread.
  void multiply(const std::uint8_t* a, std::int64_t rows, std::int32_t* c, bool accumulate) const;

 private:
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  AlignedVector<std::int8_t> values_;    // [panels, groups, panel columns, bytes of a group]
  AlignedVector<std::int32_t> offsets_;  // [panels, panel columns]
};

}  // namespace elmo
