// Rows joined with their attended vectors.
#pragma once

#include <cstdint>

#include "core/nn/layer.h"

namespace elmo {

/// Width of a compared row, in widths of an input row.
inline constexpr std::int64_t kComparisonWidth = 3;

/// Replaces `compared` [N, 3D] by [a; a − ã; a ⊙ ã] for rows a and attended ã, both [N, D], as in
/// the biattentive classification network (McCann et al. 2017, equation 10). Any thread.
void compare(const Matrix& rows, const Matrix& attended, Matrix& compared);

/// The gradient of compare(): adds to `row_gradient` and replaces `attended_gradient`. Any thread.
void compare_backward(const Matrix& rows, const Matrix& attended, const Matrix& compared_gradient,
                      Matrix& row_gradient, Matrix& attended_gradient);

}  // namespace elmo
