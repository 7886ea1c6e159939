#include "core/kernels/quantize.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("rows are scaled to their largest magnitude and rounded") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : {1, 7, 16, 53}) {
      CAPTURE(columns);
      constexpr std::int64_t kRows = 4;
      const std::int64_t stride = columns + 5;
      FloatNumbers from = normal_numbers(kRows * stride, 2.0F, 1);
      std::fill_n(from.begin() + stride, columns, 0.0F);        // a row of zeros
      std::fill_n(from.begin() + 2 * stride, columns, 1e-38F);  // and one of next to nothing
      std::vector<std::uint8_t> to(static_cast<std::size_t>(kRows * columns));
      FloatNumbers scales(kRows);
      quantize_rows(from.data(), kRows, columns, stride, to.data(), scales.data());
      for (std::int64_t row = 0; row < kRows; ++row) {
        const float* values = from.data() + row * stride;
        float largest = 0;
        for (std::int64_t i = 0; i < columns; ++i) {
          largest = std::max(largest, std::fabs(values[i]));
        }
        const float scale = scales[static_cast<std::size_t>(row)];
        CHECK(scale == (row == 1 || row == 2 ? 1.0F : largest / 127.0F));
        for (std::int64_t i = 0; i < columns; ++i) {
          const int found = to[static_cast<std::size_t>(row * columns + i)] - 128;
          // Half-way cases may go either way, for the product with 1 / scale is rounded too.
          CHECK(std::fabs(double{values[i]} / double{scale} - found) <= 0.5001);
          CHECK(std::abs(found) <= 127);
        }
      }
    }
  });
}

TEST_CASE("sums are scaled back by row and column, without their offsets") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    constexpr std::int64_t kColumns = 21;
    std::vector<std::int32_t> sums;
    for (int i = 0; i < kRows * kColumns; ++i) sums.push_back(i * 7919 % 20011 - 10000);
    std::vector<std::int32_t> offsets;
    FloatNumbers column_scales;
    for (int i = 0; i < kColumns; ++i) {
      offsets.push_back(100 - 13 * i);
      column_scales.push_back(0.01F * static_cast<float>(i + 1));
    }
    const FloatNumbers scales{0.5F, 0.02F, 3.0F};
    FloatNumbers to(sums.size());
    dequantize_sums(sums.data(), scales.data(), column_scales.data(), offsets.data(), kRows,
                    kColumns, to.data());
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t column = i % kColumns;
      const double expected = double{scales[i / kColumns]} * double{column_scales[column]} *
                              (sums[i] - offsets[column]);
      CHECK(double{to[i]} == doctest::Approx(expected).epsilon(1e-6));
    }
  });
}

}  // namespace
}  // namespace elmo
