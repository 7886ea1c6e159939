#include "core/nn/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

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

double summed_cross_entropy(std::span<float> scores, std::span<const std::uint8_t> right,
                            float scale) {
  double largest = -std::numeric_limits<double>::infinity();
  double largest_right = largest;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = scores[i];
    largest = std::max(largest, score);
    if (right[i] != 0) largest_right = std::max(largest_right, score);
  }
  double sum = 0.0;
  double sum_right = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = scores[i];
    sum += std::exp(score - largest);
    if (right[i] != 0) sum_right += std::exp(score - largest_right);
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = scores[i];
    double gradient = std::exp(score - largest) / sum;
    if (right[i] != 0) gradient -= std::exp(score - largest_right) / sum_right;
    scores[i] = scale * static_cast<float>(gradient);
  }
  return largest + std::log(sum) - largest_right - std::log(sum_right);
}

}  // namespace elmo
