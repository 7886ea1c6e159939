// Matrix products of a few rows, with weights that many of them share: the steps of an RNN.
#pragma once

#include <cstdint>

#include "core/kernels/sgemm.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Columns of a panel.
inline constexpr std::int64_t kPanelColumns = 16;

/// A matrix [K, N], kept as products with few rows read it: in panels of kPanelColumns, each
/// without gaps. sgemm arranges its operands anew at every call, which takes longer than a product
/// of the rows of one step. Threads may share it, but for set().
class PanelMatrix {
 public:
  /// Takes b [rows, columns], which may change afterwards.
  void set(MatrixView b, std::int64_t rows, std::int64_t columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  /// c [m, columns()] += a [m, rows()] · it; rows of a and of c so far apart. A row's result does
  /// not depend on the others. a and c must not overlap. Any thread.
  void multiply_add(const float* a, std::int64_t a_stride, std::int64_t m, float* c,
                    std::int64_t c_stride) const;

 private:
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  AlignedVector<float> values_;  // [panels, rows, kPanelColumns]; columns past the last are 0
};

/// What the kernel of PanelMatrix computes at a time: c [m, columns] += a [m, depth] · b, where b
/// is the first `depth` rows of panels `panel_size` apart.
struct PanelProduct {
  const float* a = nullptr;
  std::int64_t a_stride = 0;
  std::int64_t m = 0;
  const float* panels = nullptr;
  std::int64_t panel_size = 0;
  std::int64_t depth = 0;
  float* c = nullptr;
  std::int64_t c_stride = 0;
  std::int64_t columns = 0;
};

}  // namespace elmo
