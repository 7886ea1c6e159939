#include "core/nn/summed_cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace elmo {

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
