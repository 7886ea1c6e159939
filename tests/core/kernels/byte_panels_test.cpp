#include "core/kernels/byte_panels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace elmo {
namespace {

// Weights [k, n] and inputs [rows, k], of all values or only the extreme ones, which have the
// largest sums.
struct ByteTask {
  ByteTask(std::int64_t row_count, std::int64_t inner, std::int64_t columns, bool extreme)
      : rows(row_count), k(inner), n(columns), offsets(static_cast<std::size_t>(columns), 0) {
    for (std::int64_t i = 0; i < rows * k; ++i) {
      inputs.push_back(static_cast<std::uint8_t>(extreme ? i / k % 2 * 255 : i * 37 % 256));
    }
    for (std::int64_t i = 0; i < k * n; ++i) {
      weights.push_back(
          static_cast<std::int8_t>(extreme ? i % n % 2 * 254 - 127 : i * 29 % 255 - 127));
      offsets[static_cast<std::size_t>(i % n)] += 128 * weights.back();
    }
  }

  std::vector<std::int32_t> product(std::int32_t before) const {
    std::vector<std::int32_t> sums;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        std::int32_t sum = before;
        for (std::int64_t at = 0; at < k; ++at) {
          sum += std::int32_t{inputs[static_cast<std::size_t>(row * k + at)]} *
                 weights[static_cast<std::size_t>(at * n + column)];
        }
        sums.push_back(sum);
      }
    }
    return sums;
  }

  std::int64_t rows;
  std::int64_t k;
  std::int64_t n;
  std::vector<std::uint8_t> inputs;
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> offsets;
};

TEST_CASE("products of bytes are exact") {
  if (!BytePanels::is_supported()) {
    MESSAGE("skipped: this processor has no dot products of arm64");
    return;
  }
  for (const std::int64_t rows : {0, 1, 2, 3, 4, 5, 6, 7, 8, 33}) {
    for (const auto& [k, n] : {std::pair{1, 1}, std::pair{15, 3}, std::pair{16, 16},
                               std::pair{17, 17}, std::pair{100, 37}, std::pair{2048, 64}}) {
      for (const bool extreme : {false, true}) {
        CAPTURE(rows);
        CAPTURE(k);
        CAPTURE(n);
        CAPTURE(extreme);
        const ByteTask task(rows, k, n, extreme);
        const BytePanels panels(task.weights.data(), k, n, task.offsets);
        // The memory has the exact size, so a sanitizer detects reads past it.
        std::vector<std::int32_t> sums(static_cast<std::size_t>(rows * n), 9);
        panels.multiply(task.inputs.data(), rows, sums.data(), false);
        CHECK(sums == task.product(0));
        std::fill(sums.begin(), sums.end(), 7);
        panels.multiply(task.inputs.data(), rows, sums.data(), true);
        CHECK(sums == task.product(7));
      }
    }
  }
}

}  // namespace
}  // namespace elmo
