#include "core/kernels/row_pairs.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("a row beside others, and the gradients of all") {
  constexpr std::int64_t kRows = 6;
  const std::vector<std::int32_t> others = {0, 2, 5};
  const auto count = static_cast<std::int64_t>(others.size());
  for_each_instruction_set([&] {
    for (const std::int64_t size : {1, 7, 16, 131}) {
      CAPTURE(size);
      const FloatNumbers a = normal_numbers(size, 1.0F, 1);
      const FloatNumbers c = normal_numbers(size, 1.0F, 2);
      const FloatNumbers rows = normal_numbers(kRows * size, 1.0F, 3);
      const FloatNumbers slopes = normal_numbers(count, 1.0F, 4);
      const FloatNumbers product_gradient = normal_numbers(count * size, 1.0F, 5);
      FloatNumbers a_gradient = normal_numbers(size, 1.0F, 6);
      FloatNumbers c_gradient = normal_numbers(size, 1.0F, 7);
      FloatNumbers row_gradient = normal_numbers(kRows * size, 1.0F, 8);
      DoubleNumbers products;
      DoubleNumbers of_a = widened(a_gradient);
      DoubleNumbers of_c = widened(c_gradient);
      DoubleNumbers of_rows = widened(row_gradient);
      for (std::size_t n = 0; n < others.size(); ++n) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const std::size_t at = static_cast<std::size_t>(others[n]) * a.size() + i;
          const double product = product_gradient[n * a.size() + i];
          products.push_back(double{a[i]} * rows[at]);
          of_a[i] += product * rows[at];
          of_c[i] += double{slopes[n]} * rows[at];
          of_rows[at] += product * a[i] + double{slopes[n]} * c[i];
        }
      }
      RowPairGradient task;
      task.pairs = {size, count, a.data(), rows.data(), others.data()};
      FloatNumbers found(products.size());
      row_pair_products(task.pairs, found.data());
      CHECK(largest_difference(found, products) < 2e-6);
      task.c = c.data();
      task.product_gradient = product_gradient.data();
      task.slopes = slopes.data();
      task.a_gradient = a_gradient.data();
      task.c_gradient = c_gradient.data();
      task.row_gradient = row_gradient.data();
      row_pair_backward(task);
      CHECK(largest_difference(a_gradient, of_a) < 5e-6);
      CHECK(largest_difference(c_gradient, of_c) < 5e-6);
      CHECK(largest_difference(row_gradient, of_rows) < 5e-6);
    }
  });
}

}  // namespace
}  // namespace elmo
