#include "core/kernels/squared_lengths.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace elmo {

TEST_CASE("squared_lengths: sums of squares of rows of any width, wherever they stand") {
  std::mt19937 chance(5);
  std::normal_distribution<float> normal;
  for (const std::int64_t width : {1, 3, 16, 17, 63, 64, 100, 256, 300}) {
    CAPTURE(width);
    const std::int64_t stride = width + 5;
    std::vector<float> values(static_cast<std::size_t>(7 * stride));
    for (float& value : values) value = normal(chance);
    std::vector<float> found(7);
    squared_lengths(values.data(), stride, width, found);
    for (std::int64_t row = 0; row < 7; ++row) {
      double expected = 0;
      for (std::int64_t i = 0; i < width; ++i) {
        const double value = values[static_cast<std::size_t>(row * stride + i)];
        expected += value * value;
      }
      CHECK(double{found[static_cast<std::size_t>(row)]} ==
            doctest::Approx(expected).epsilon(1e-6));
    }
  }
}

}  // namespace elmo
