#include "core/analysis/rank_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace elmo {
namespace {

/// Returns the indices of `values`, largest value first.
std::vector<std::size_t> descending(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return values[i]; });
  return order;
}

/// Calls `use(begin, end)` for each stretch of equal values of `order`.
template <typename Use>
void for_each_tie(std::span<const double> values, std::span<const std::size_t> order, Use use) {
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    use(begin, end);
    begin = end;
  }
}

/// Returns the rank of each value, less the mean of all ranks.
std::vector<double> centered_ranks(std::span<const double> values) {
  const std::vector<std::size_t> order = descending(values);
  std::vector<double> ranks(values.size());
  for_each_tie(values, order, [&](std::size_t begin, std::size_t end) {
    const auto rank = static_cast<double>(begin + end) - static_cast<double>(values.size());
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = rank / 2;
  });
  return ranks;
}

}  // namespace

std::optional<double> spearman(std::span<const double> scores, std::span<const double> gold) {
  const std::vector<double> a = centered_ranks(scores);
  const std::vector<double> b = centered_ranks(gold);
  const auto product = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const double squares = product(a, a) * product(b, b);
  if (!(squares > 0)) return std::nullopt;
  return product(a, b) / std::sqrt(squares);
}

std::optional<BinaryScore> binary_score(std::span<const double> scores,
                                        const std::vector<bool>& positive) {
  const auto positives = static_cast<double>(std::ranges::count(positive, true));
  const double negatives = static_cast<double>(positive.size()) - positives;
  if (positives == 0 || negatives == 0) return std::nullopt;
  const std::vector<std::size_t> order = descending(scores);
  BinaryScore best;
  double right = 0;    // positives with a score from here on
  double wrong = 0;    // negatives
  double ordered = 0;  // pairs of a positive and a negative with a lower score
  for_each_tie(scores, order, [&](std::size_t begin, std::size_t end) {
    const auto hits =
        static_cast<double>(std::count_if(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                          order.begin() + static_cast<std::ptrdiff_t>(end),
                                          [&](std::size_t i) { return positive[i]; }));
    const double misses = static_cast<double>(end - begin) - hits;
    ordered += hits * (negatives - wrong - misses / 2);
    right += hits;
    wrong += misses;
    const double accuracy = (right + negatives - wrong) / (positives + negatives);
    if (accuracy > best.accuracy) {
      best.accuracy = accuracy;
      best.threshold = scores[order[begin]];
    }
  });
  best.auc = ordered / (positives * negatives);
  const double without = negatives / (positives + negatives);  // accuracy without a positive answer
  if (without > best.accuracy) {
    best.accuracy = without;
    best.threshold.reset();
  }
  return best;
}

}  // namespace elmo
