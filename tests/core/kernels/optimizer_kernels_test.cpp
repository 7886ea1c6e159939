#include "core/kernels/optimizer_kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

constexpr std::int64_t kSizes[] = {1, 7, 16, 131};

TEST_CASE("squared_norm matches float64") {
  for_each_instruction_set([] {
    CHECK(squared_norm(nullptr, 0) == 0.0);
    for (const std::int64_t size : kSizes) {
      CAPTURE(size);
      const FloatNumbers values = normal_numbers(size, 1.0F, 1);
      double expected = 0;
      for (const float value : values) expected += double{value} * double{value};
      CHECK(squared_norm(values.data(), size) == doctest::Approx(expected).epsilon(1e-14));
    }
    const FloatNumbers large(40, 1e30F);  // squares beyond float32
    CHECK(squared_norm(large.data(), 40) == doctest::Approx(4e61).epsilon(1e-6));
  });
}

TEST_CASE("column sums are added to the existing values") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : kSizes) {
      for (const std::int64_t rows : {0, 1, 4, 11}) {
        CAPTURE(columns);
        CAPTURE(rows);
        const std::int64_t stride = columns + 3;
        const FloatNumbers from = normal_numbers(rows * stride, 1.0F, 1);
        FloatNumbers to = normal_numbers(columns, 1.0F, 2);
        DoubleNumbers expected = widened(to);
        for (std::int64_t i = 0; i < rows * columns; ++i) {
          const std::int64_t at = i / columns * stride + i % columns;
          expected[static_cast<std::size_t>(i % columns)] +=
              double{from[static_cast<std::size_t>(at)]};
        }
        add_column_sums({from.data(), rows, columns, stride}, to.data());
        CHECK(largest_difference(to, expected) < 2e-6);
      }
    }
  });
}

TEST_CASE("values are added and clipped") {
  for_each_instruction_set([] {
    for (const std::int64_t size : kSizes) {
      CAPTURE(size);
      const FloatNumbers from = normal_numbers(size, 1.0F, 1);
      const FloatNumbers before = normal_numbers(size, 1.0F, 2);
      FloatNumbers sum = before;
      add(from.data(), size, sum.data());
      FloatNumbers clipped = from;
      clip(clipped.data(), size, 0.75F);
      for (std::size_t i = 0; i < from.size(); ++i) {
        CHECK(sum[i] == from[i] + before[i]);
        CHECK(clipped[i] == std::clamp(from[i], -0.75F, 0.75F));
      }
    }
  });
}

TEST_CASE("an average moves by its share of the difference") {
  for_each_instruction_set([] {
    for (const std::int64_t size : kSizes) {
      CAPTURE(size);
      const FloatNumbers from = normal_numbers(size, 1.0F, 1);
      FloatNumbers to = normal_numbers(size, 1.0F, 2);
      DoubleNumbers expected = widened(to);
      for (std::size_t i = 0; i < to.size(); ++i) expected[i] += 0.25 * (from[i] - expected[i]);
      average(0.25F, from.data(), size, to.data());
      CHECK(largest_difference(to, expected) < 1e-6);
    }
  });
}

TEST_CASE("clipping keeps NaN") {
  FloatNumbers values(20, 1.0F);
  values[2] = values[19] = std::numeric_limits<float>::quiet_NaN();
  clip(values.data(), 20, 0.5F);
  CHECK(std::isnan(values[2]));
  CHECK(std::isnan(values[19]));
  CHECK(values[3] == 0.5F);
}

TEST_CASE("adam follows its equations over several steps") {
  for_each_instruction_set([] {
    for (const std::int64_t size : kSizes) {
      CAPTURE(size);
      FloatNumbers values = normal_numbers(size, 1.0F, 1);
      FloatNumbers first(values.size(), 0.0F);
      FloatNumbers second(values.size(), 0.0F);
      DoubleNumbers expected = widened(values);
      DoubleNumbers m(values.size(), 0.0);
      DoubleNumbers v(values.size(), 0.0);
      for (unsigned t = 1; t <= 4; ++t) {
        const FloatNumbers gradient = normal_numbers(size, 1.0F, 10 + t);
        AdamStep step;
        step.rate = 0.01F;
        step.weight_decay = 0.1F;
        step.gradient_scale = 0.5F;
        step.correction1 = static_cast<float>(1 / (1 - std::pow(0.9, t)));
        step.correction2 = static_cast<float>(1 / (1 - std::pow(0.999, t)));
        adam(step, gradient.data(), size, values.data(), first.data(), second.data());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const double g = 0.5 * double{gradient[i]};
          m[i] = 0.9 * m[i] + 0.1 * g;
          v[i] = 0.999 * v[i] + 0.001 * g * g;
          const double decayed = expected[i] - 0.01 * 0.1 * expected[i];
          expected[i] = decayed - 0.01 * (m[i] / (1 - std::pow(0.9, t))) /
                                      (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-8);
        }
      }
      CHECK(largest_difference(values, expected) < 2e-6);
      CHECK(largest_difference(first, m) < 1e-6);
      CHECK(largest_difference(second, v) < 1e-6);
    }
  });
}

TEST_CASE("adam leaves values without gradient unchanged") {
  for_each_instruction_set([] {
    FloatNumbers values(21, 1.5F);
    FloatNumbers first(21, 0.0F);
    FloatNumbers second(21, 0.0F);
    const FloatNumbers gradient(21, 0.0F);
    AdamStep step;
    step.rate = 0.01F;
    adam(step, gradient.data(), 21, values.data(), first.data(), second.data());
    CHECK(values == FloatNumbers(21, 1.5F));
  });
}

TEST_CASE("adagrad follows its equations over several steps") {
  for_each_instruction_set([] {
    for (const std::int64_t size : kSizes) {
      CAPTURE(size);
      FloatNumbers values = normal_numbers(size, 1.0F, 1);
      FloatNumbers accumulator(values.size(), 1.0F);
      DoubleNumbers expected = widened(values);
      DoubleNumbers sum = widened(accumulator);
      for (unsigned t = 1; t <= 4; ++t) {
        const FloatNumbers gradient = normal_numbers(size, 1.0F, 10 + t);
        AdagradStep step;
        step.rate = 0.2F;
        step.weight_decay = 0.1F;
        step.gradient_scale = 0.5F;
        adagrad(step, gradient.data(), size, values.data(), accumulator.data());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const double g = 0.5 * double{gradient[i]};
          sum[i] += g * g;
          expected[i] += -0.2 * 0.1 * expected[i] - 0.2 * g / std::sqrt(sum[i]);
        }
      }
      CHECK(largest_difference(values, expected) < 2e-6);
      CHECK(largest_difference(accumulator, sum) < 2e-6);
    }
  });
}

}  // namespace
}  // namespace elmo
