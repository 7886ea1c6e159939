// The median of measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elmo {

/// Returns the median of at least one value; the upper one of an even number of values.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace elmo
