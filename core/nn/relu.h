// max(x, 0).
#pragma once

#include "core/nn/layer.h"

namespace elmo {

/// In place; what is not a number stays so. Any thread.
void relu(Matrix& values);

/// `values` as relu() left them; where they are 0 the gradient becomes 0. Any thread.
void relu_backward(const Matrix& values, Matrix& gradient);

}  // namespace elmo
