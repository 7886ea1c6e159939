// Numbers for tests of kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace elmo {

using FloatNumbers = std::vector<float>;
using DoubleNumbers = std::vector<double>;

/// Returns normally distributed numbers.
inline FloatNumbers normal_numbers(std::int64_t size, float deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0F, deviation);
  FloatNumbers values(static_cast<std::size_t>(size));
  for (float& value : values) value = normal(generator);
  return values;
}

inline DoubleNumbers widened(const FloatNumbers& values) { return {values.begin(), values.end()}; }

/// Returns the largest difference; infinite if sizes differ or a value is NaN.
inline double largest_difference(const FloatNumbers& found, const DoubleNumbers& expected) {
  double largest = found.size() == expected.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    const double difference = std::fabs(double{found[i]} - expected[i]);
    largest = difference <= INFINITY ? std::max(largest, difference) : INFINITY;
  }
  return largest;
}

/// Returns the gradient of `loss`, a function of `values`, by central differences.
template <typename Loss>
DoubleNumbers central_differences(DoubleNumbers& values, Loss loss) {
  constexpr double kStep = 1e-5;
  DoubleNumbers gradient;
  for (double& value : values) {
    const double before = value;
    value = before + kStep;
    const double above = loss();
    value = before - kStep;
    const double below = loss();
    value = before;
    gradient.push_back((above - below) / (2 * kStep));
  }
  return gradient;
}

}  // namespace elmo
