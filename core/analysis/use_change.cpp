#include "core/analysis/use_change.h"

#include <cmath>
#include <numeric>

namespace elmo {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

void UseSums::add(std::span<const float> vector) {
  double squares = 0;
  for (const float value : vector) squares += double{value} * double{value};
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    sum_[i] += double{vector[i]};
    unit_sum_[i] += double{vector[i]} * scale;
  }
  unit_squares_ += squares * scale * scale;
  ++count_;
}

double UseSums::distance_within() const {
  const auto uses = static_cast<double>(count_);
  // The square of the sum has each pair twice, and each use with itself.
  return 1 - (dot(unit_sum_, unit_sum_) - unit_squares_) / (uses * (uses - 1));
}

std::optional<UseChange> UseSums::change(const UseSums& first, const UseSums& second) {
  if (first.count_ < 2 || second.count_ < 2) return std::nullopt;
  const auto pairs = static_cast<double>(first.count_) * static_cast<double>(second.count_);
  const double lengths = std::sqrt(dot(first.sum_, first.sum_) * dot(second.sum_, second.sum_));
  return UseChange{1 - dot(first.unit_sum_, second.unit_sum_) / pairs,
                   lengths > 0 ? 1 - dot(first.sum_, second.sum_) / lengths : 1,
                   first.distance_within(), second.distance_within()};
}

}  // namespace elmo
