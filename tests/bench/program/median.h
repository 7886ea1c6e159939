// The middle of some measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elmo {

/// Of at least one value; of an even number of them the upper middle one.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace elmo
