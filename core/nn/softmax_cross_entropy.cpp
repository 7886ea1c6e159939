#include "core/nn/softmax_cross_entropy.h"

#include <cmath>
#include <limits>

#include "core/kernels/row_softmax.h"
#include "core/kernels/softmax.h"

namespace elmo {

double softmax_cross_entropy(Matrix& logits, std::span<const std::int32_t> labels, float scale,
                             std::span<const float> weights) {
  const std::int64_t columns = logits.columns;
  double loss = 0.0;
  for (std::int64_t row = 0; row < logits.rows; ++row) {
    float* values = logits.row(row);
    const std::int32_t label = labels[static_cast<std::size_t>(row)];
    float maximum = -std::numeric_limits<float>::infinity();
    double sum = 0.0;
    accumulate_exponentials(values, 1, columns, columns, nullptr, &maximum, &sum);
    const float weight = weights.empty() ? 1.0F : weights[static_cast<std::size_t>(row)];
    loss += double{weight} * (double{maximum} + std::log(sum) - double{values[label]});
    softmax_rows(values, 1, columns, columns);
    values[label] -= 1.0F;
    for (std::int64_t c = 0; c < columns; ++c) values[c] *= weight * scale;
  }
  return loss;
}

}  // namespace elmo
