// Rows beside what attention found for them.
#pragma once

#include <cstdint>

#include "core/nn/layer.h"

namespace elmo {

/// What a row a and the attended ã become: with ã itself as in ESIM (Chen et al. 2017, equations 14
/// and 15), without as in the biattentive classification network (McCann et al. 2017, equation 10).
enum class Comparison {
  difference_product,          ///< [a; a − ã; a ⊙ ã]
  attended_difference_product  ///< [a; ã; a − ã; a ⊙ ã]
};

/// How many times as wide the compared rows are.
std::int64_t comparison_width(Comparison kind);

/// `rows` and `attended` [N, D] become `compared` [N, width · D]. Any thread.
void compare(Comparison kind, const Matrix& rows, const Matrix& attended, Matrix& compared);

/// The gradients: adds to that with respect to the rows, replaces that with respect to what was
/// attended. Any thread.
void compare_backward(Comparison kind, const Matrix& rows, const Matrix& attended,
                      const Matrix& compared_gradient, Matrix& row_gradient,
                      Matrix& attended_gradient);

}  // namespace elmo
