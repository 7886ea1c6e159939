#include "core/nn/rectified_layer.h"

#include "core/nn/dropout.h"
#include "core/nn/relu.h"

namespace elmo {

void RectifiedLayer::forward(const Matrix& input, const PassOptions& options, Workers& workers,
                             Matrix& to) {
  linear_.forward(input, workers, to);
  relu(to);
  drop(options, dropout_, place_, workers, to);
  outputs_ = &to;
}

void RectifiedLayer::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                              Matrix& input_gradient) {
  relu_backward(*outputs_, kept_factor(options, dropout_), gradient);
  linear_.backward(gradient, workers, input_gradient);
}

}  // namespace elmo
