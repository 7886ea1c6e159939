#include "core/nn/relu.h"

namespace elmo {

void relu(Matrix& values) {
  for (float& value : values.values) value = value < 0.0F ? 0.0F : value;
}

void relu_backward(const Matrix& values, float kept, Matrix& gradient) {
  const float* value = values.values.data();
  float* to = gradient.values.data();
  // A factor instead of a branch, so that the compiler vectorizes it.
  for (std::size_t i = 0; i < values.values.size(); ++i) to[i] *= value[i] == 0.0F ? 0.0F : kept;
}

}  // namespace elmo
