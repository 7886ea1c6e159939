#include "core/nn/comparison.h"

namespace elmo {

void compare(const Matrix& rows, const Matrix& attended, Matrix& compared) {
  const std::int64_t columns = rows.columns;
  compared.resize(rows.rows, kComparisonWidth * columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    float* to = compared.row(row);
    float* difference = to + columns;
    float* product = difference + columns;
    std::copy_n(a, columns, to);
    for (std::int64_t c = 0; c < columns; ++c) {
      difference[c] = a[c] - found[c];
      product[c] = a[c] * found[c];
    }
  }
}

void compare_backward(const Matrix& rows, const Matrix& attended, const Matrix& compared_gradient,
                      Matrix& row_gradient, Matrix& attended_gradient) {
  const std::int64_t columns = rows.columns;
  attended_gradient.resize(rows.rows, columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    const float* own = compared_gradient.row(row);
    const float* difference = own + columns;
    const float* product = difference + columns;
    float* to_row = row_gradient.row(row);
    float* to_attended = attended_gradient.row(row);
    for (std::int64_t c = 0; c < columns; ++c) {
      to_row[c] += own[c] + difference[c] + product[c] * found[c];
      to_attended[c] = product[c] * a[c] - difference[c];
    }
  }
}

}  // namespace elmo
