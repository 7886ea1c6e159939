// max(x, 0).
#pragma once

#include "core/nn/layer.h"

namespace elmo {

/// In place; what is not a number stays so. Any thread.
void relu(Matrix& values);

/// `values` as relu() left them, and drop() behind it if there was any; where they are 0 the
/// gradient becomes 0, elsewhere it is multiplied by `kept`, the factor of what was not dropped.
/// Any thread.
void relu_backward(const Matrix& values, float kept, Matrix& gradient);

}  // namespace elmo
