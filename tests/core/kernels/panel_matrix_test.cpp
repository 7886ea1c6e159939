#include "core/kernels/panel_matrix.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("products of a few rows with panels of weights") {
  struct Shape {
    std::int64_t rows, depth, columns;
  };
  for (const auto& [m, k, n] : {Shape{1, 1, 1}, Shape{2, 3, 16}, Shape{3, 100, 400},
                                Shape{7, 400, 100}, Shape{4, 130, 65}, Shape{41, 5, 31}}) {
    CAPTURE(n);
    const std::int64_t a_stride = k + 3;
    const std::int64_t c_stride = n + 2;
    const FloatNumbers a = normal_numbers(m * a_stride, 1.0F, 1);
    const FloatNumbers b = normal_numbers(k * n, 1.0F, 2);
    const FloatNumbers before = normal_numbers(m * c_stride, 1.0F, 3);
    DoubleNumbers expected(before.begin(), before.end());
    FloatNumbers transposed(b.size());
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const float weight = b[static_cast<std::size_t>(i * n + j)];
        transposed[static_cast<std::size_t>(j * k + i)] = weight;
        for (std::int64_t row = 0; row < m; ++row) {
          expected[static_cast<std::size_t>(row * c_stride + j)] +=
              double{a[static_cast<std::size_t>(row * a_stride + i)]} * double{weight};
        }
      }
    }
    for_each_instruction_set([&] {
      PanelMatrix panels;
      panels.set({b.data(), k, n});
      FloatNumbers c = before;
      panels.multiply_add({a.data(), m, k, a_stride}, {c.data(), m, n, c_stride});
      CHECK(largest_difference(c, expected) < 1e-4);
      // The old values, which may be anything, are ignored.
      FloatNumbers product(before.size(), std::numeric_limits<float>::quiet_NaN());
      panels.multiply({a.data(), m, k, a_stride}, {product.data(), m, n, c_stride});
      FloatNumbers sum = before;
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t j = 0; j < n; ++j) {
          const auto at = static_cast<std::size_t>(row * c_stride + j);
          sum[at] += product[at];
        }
      }
      CHECK(largest_difference(sum, expected) < 1e-4);
      // A row multiplied alone has the same bits, and so does a row of the transposed matrix.
      panels.set(ConstFloatView(transposed.data(), n, k).transposed());
      FloatNumbers alone = before;
      for (std::int64_t row = 0; row < m; ++row) {
        panels.multiply_add({a.data() + row * a_stride, 1, k},
                            {alone.data() + row * c_stride, 1, n});
      }
      CHECK(alone == c);
    });
  }
}

}  // namespace
}  // namespace elmo
