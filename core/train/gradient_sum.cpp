#include "core/train/gradient_sum.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace elmo {
namespace {

/// The same gradient over the rows `all`, which hold those that it has and are ascending.
SoftmaxGradient spread(const SoftmaxGradient& gradient, std::vector<std::int32_t> all,
                       std::size_t width) {
  SoftmaxGradient wide;
  wide.weights.assign(all.size() * width, 0.0F);
  wide.bias.assign(all.size(), 0.0F);
  for (std::size_t n = 0; n < gradient.rows.size(); ++n) {
    const auto found = std::lower_bound(all.begin(), all.end(), gradient.rows[n]);
    const auto place = static_cast<std::size_t>(found - all.begin());
    std::copy_n(gradient.weights.data() + n * width, width, wide.weights.data() + place * width);
    wide.bias[place] = gradient.bias[n];
  }
  wide.rows = std::move(all);
  return wide;
}

}  // namespace

void sum_over_ranks(Communicator& communicator, std::int64_t width, BatchLoss& loss,
                    Gradients& gradients) {
  if (communicator.size() == 1) return;
  std::array<double, 2> losses{loss.forward, loss.backward};
  communicator.sum(std::span<double>(losses));
  loss = {losses[0], losses[1]};
  for (AlignedVector<float>& values : gradients.parameters) {
    communicator.sum(std::span<float>(values));
  }
  std::vector<std::int32_t> rows = communicator.gather(gradients.softmax.rows);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  gradients.softmax = spread(gradients.softmax, std::move(rows), static_cast<std::size_t>(width));
  communicator.sum(std::span<float>(gradients.softmax.weights));
  communicator.sum(std::span<float>(gradients.softmax.bias));
}

}  // namespace elmo
