// ReLU: max(x, 0).
#pragma once

#include "core/nn/layer.h"

namespace elmo {

/// Applies ReLU in place. NaN stays NaN. Any thread.
void relu(Matrix& values);

/// The gradient of relu() and of a drop() after it, in place. `values` are the results. `gradient`
/// becomes 0 where they are 0 and is multiplied by `kept` elsewhere: kept_factor(), or 1 without
/// dropout. Any thread.
void relu_backward(const Matrix& values, float kept, Matrix& gradient);

}  // namespace elmo
