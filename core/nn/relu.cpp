#include "core/nn/relu.h"

namespace elmo {

void relu(Matrix& values) {
  for (float& value : values.values) value = value < 0.0F ? 0.0F : value;
}

void relu_backward(const Matrix& values, Matrix& gradient) {
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    if (values.values[i] == 0.0F) gradient.values[i] = 0.0F;
  }
}

}  // namespace elmo
