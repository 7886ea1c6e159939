// Matrix products of a few rows each, many with the same weights: the steps of an RNN.
#pragma once

#include <cstdint>

#include "core/matrix.h"

namespace elmo {

/// Number of columns of a panel.
inline constexpr std::int64_t kPanelColumns = 16;

/// A matrix [K, N] stored for products of few rows: in panels of kPanelColumns columns, each
/// without gaps. sgemm repacks its operands in every call, which takes longer than the product of
/// one step's rows. Threads may share it, except for set().
class PanelMatrix {
 public:
  /// Copies b.
  void set(ConstFloatView b);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  /// Computes c = a · this matrix. Neither a nor c may be transposed, and they must not overlap;
  /// rows of a may overlap each other. A row's result does not depend on the other rows. Any
  /// thread.
  void multiply(ConstFloatView a, FloatView c) const { multiply(a, c, false); }

  /// Computes c += a · this matrix. Otherwise as above.
  void multiply_add(ConstFloatView a, FloatView c) const { multiply(a, c, true); }

 private:
  void multiply(ConstFloatView a, FloatView c, bool accumulate) const;

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  AlignedVector<float> values_;  // [panels, rows, kPanelColumns]; columns past the last are 0
};

/// Arguments of the kernel of PanelMatrix, which computes c [m, columns] = a [m, depth] · b, or
/// adds to c with `accumulate`. b is the first `depth` rows of panels that are `panel_size` apart.
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
  bool accumulate = false;
};

}  // namespace elmo
