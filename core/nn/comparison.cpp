#include "core/nn/comparison.h"

namespace elmo {
namespace {

// Where in a compared row the parts begin, in numbers of rows; ã stands where ESIM has it.
std::int64_t difference_at(Comparison kind) {
  return kind == Comparison::attended_difference_product ? 2 : 1;
}

}  // namespace

std::int64_t comparison_width(Comparison kind) { return difference_at(kind) + 2; }

void compare(Comparison kind, const Matrix& rows, const Matrix& attended, Matrix& compared) {
  const std::int64_t columns = rows.columns;
  const bool with_attended = kind == Comparison::attended_difference_product;
  compared.resize(rows.rows, comparison_width(kind) * columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    float* to = compared.row(row);
    float* difference = to + difference_at(kind) * columns;
    float* product = difference + columns;
    std::copy_n(a, columns, to);
    if (with_attended) std::copy_n(found, columns, to + columns);
    for (std::int64_t c = 0; c < columns; ++c) {
      difference[c] = a[c] - found[c];
      product[c] = a[c] * found[c];
    }
  }
}

void compare_backward(Comparison kind, const Matrix& rows, const Matrix& attended,
                      const Matrix& compared_gradient, Matrix& row_gradient,
                      Matrix& attended_gradient) {
  const std::int64_t columns = rows.columns;
  const bool with_attended = kind == Comparison::attended_difference_product;
  attended_gradient.resize(rows.rows, columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    const float* own = compared_gradient.row(row);
    const float* difference = own + difference_at(kind) * columns;
    const float* product = difference + columns;
    float* to_row = row_gradient.row(row);
    float* to_attended = attended_gradient.row(row);
    if (with_attended) std::copy_n(own + columns, columns, to_attended);
    for (std::int64_t c = 0; c < columns; ++c) {
      to_row[c] += own[c] + difference[c] + product[c] * found[c];
      to_attended[c] += product[c] * a[c] - difference[c];
    }
  }
}

}  // namespace elmo
