// Rows beside what attention found for them.
#pragma once

#include <cstdint>

#include "core/nn/layer.h"

namespace elmo {

/// How many times as wide compared rows are.
inline constexpr std::int64_t kComparisonWidth = 3;

/// `rows` a and the attended ã [N, D] become `compared` [N, 3D]: [a; a − ã; a ⊙ ã], as in the
/// biattentive classification network (McCann et al. 2017, equation 10). Any thread.
void compare(const Matrix& rows, const Matrix& attended, Matrix& compared);

/// The gradients: adds to that with respect to the rows, replaces that with respect to what was
/// attended. Any thread.
void compare_backward(const Matrix& rows, const Matrix& attended, const Matrix& compared_gradient,
                      Matrix& row_gradient, Matrix& attended_gradient);

}  // namespace elmo
