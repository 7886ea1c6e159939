#include "core/kernels/softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr float kFloatNaN = std::numeric_limits<float>::quiet_NaN();

double log_sum_exp(const DoubleNumbers& values) {
  double sum = 0;
  for (const double value : values) sum += std::exp(value);
  return std::log(sum);
}

// The logarithm computed from all `logits` as one part.
double accumulated(const FloatNumbers& logits, const float* bias = nullptr) {
  float maximum = -kFloatInfinity;
  double sum = 0;
  const auto size = static_cast<std::int64_t>(logits.size());
  accumulate_exponentials(logits.data(), 1, size, size, bias, &maximum, &sum);
  return double{maximum} + std::log(sum);
}

TEST_CASE("log-sum-exp of rows in parts equals that of whole rows") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    constexpr std::int64_t kStride = 2600;
    for (const std::int64_t columns : {1, 15, 16, 1025, 2500}) {
      CAPTURE(columns);
      const FloatNumbers logits = normal_numbers(kRows * kStride, 6.0F, 1);
      const FloatNumbers bias = normal_numbers(columns, 1.0F, 2);
      const std::int64_t first = columns / 3;
      FloatNumbers maximum(kRows, -kFloatInfinity);
      DoubleNumbers sum(kRows, 0.0);
      accumulate_exponentials(logits.data(), kRows, first, kStride, bias.data(), maximum.data(),
                              sum.data());
      accumulate_exponentials(logits.data() + first, kRows, columns - first, kStride,
                              bias.data() + first, maximum.data(), sum.data());
      for (std::int64_t row = 0; row < kRows; ++row) {
        DoubleNumbers values;
        for (std::int64_t c = 0; c < columns; ++c) {
          values.push_back(double{logits[static_cast<std::size_t>(row * kStride + c)]} +
                           double{bias[static_cast<std::size_t>(c)]});
        }
        const auto r = static_cast<std::size_t>(row);
        CHECK(std::fabs(double{maximum[r]} + std::log(sum[r]) - log_sum_exp(values)) < 2e-6);
      }
    }
  });
}

TEST_CASE("log-sum-exp takes logits of any size, and none") {
  for_each_instruction_set([] {
    CHECK(accumulated({1000.0F, 999.0F}) == doctest::Approx(1000 + std::log1p(std::exp(-1.0))));
    CHECK(accumulated({-1000.0F, -1001.0F}) == doctest::Approx(-1000 + std::log1p(std::exp(-1.0))));
    CHECK(accumulated({-kFloatInfinity, 2.0F, -kFloatInfinity}) == doctest::Approx(2.0));
    CHECK(accumulated({-kFloatInfinity, -kFloatInfinity}) == -INFINITY);
    CHECK(accumulated({-3e38F, 3e38F}) == doctest::Approx(3e38));
    // An empty part at the end changes nothing; an empty first part does not affect the parts after
    // it.
    FloatNumbers late(1500, -kFloatInfinity);
    late[0] = 4.0F;
    CHECK(accumulated(late) == doctest::Approx(4.0));
    late[0] = -kFloatInfinity;
    late[1499] = 4.0F;
    CHECK(accumulated(late) == doctest::Approx(4.0));
  });
}

TEST_CASE("log-sum-exp of values that are not finite is not finite") {
  CHECK(std::isnan(accumulated({1.0F, kFloatNaN, 2.0F})));
  CHECK(std::isnan(accumulated({-kFloatInfinity, kFloatNaN, -kFloatInfinity})));
  CHECK_FALSE(std::isfinite(accumulated({1.0F, kFloatInfinity})));
  FloatNumbers many(40, 0.0F);
  many[3] = kFloatNaN;
  CHECK(std::isnan(accumulated(many)));
}

// Rows of samples, some of them targets, and a row without a target.
struct Samples {
  std::int64_t rows = 4;
  std::int64_t samples;
  float deviation = 3.0F;
  FloatNumbers logits = normal_numbers(rows * samples, deviation, 1);
  FloatNumbers offsets = normal_numbers(samples, 1.0F, 2);
  FloatNumbers target_logits = normal_numbers(rows, deviation, 3);
  std::vector<std::int32_t> ids = {};
  std::vector<std::int32_t> targets = {};
  float scale = 0.25F;

  explicit Samples(std::int64_t count) : samples(count) {
    for (std::int64_t s = 0; s < samples; ++s) ids.push_back(static_cast<std::int32_t>(7 * s));
    targets = {0, -1, 1, static_cast<std::int32_t>(7 * (samples - 1))};
  }

  SampledCrossEntropy task() {
    SampledCrossEntropy result;
    result.rows = rows;
    result.samples = samples;
    result.logits = logits.data();
    result.stride = samples;
    result.sample_offsets = offsets.data();
    result.sample_ids = ids.data();
    result.target_logits = target_logits.data();
    result.target_ids = targets.data();
    result.scale = scale;
    return result;
  }

  double loss(const DoubleNumbers& sampled, const DoubleNumbers& target) const {
    double sum = 0;
    for (std::size_t row = 0; row < targets.size(); ++row) {
      if (targets[row] < 0) continue;
      DoubleNumbers values = {target[row]};
      for (std::size_t s = 0; s < ids.size(); ++s) {
        if (ids[s] == targets[row]) continue;
        values.push_back(sampled[row * ids.size() + s] + double{offsets[s]});
      }
      sum += log_sum_exp(values) - target[row];
    }
    return sum;
  }
};

TEST_CASE(
    "sampled cross entropy and its gradient leave out accidental hits and rows without a target") {
  for_each_instruction_set([] {
    for (const std::int64_t count : {1, 5, 16, 45}) {
      CAPTURE(count);
      Samples found(count);
      DoubleNumbers logits = widened(found.logits);
      DoubleNumbers target_logits = widened(found.target_logits);
      const auto loss = [&] { return found.loss(logits, target_logits); };
      const double expected = loss();
      DoubleNumbers gradient = central_differences(logits, loss);
      DoubleNumbers target_gradient = central_differences(target_logits, loss);
      for (double& value : gradient) value *= double{found.scale};
      for (double& value : target_gradient) value *= double{found.scale};

      CHECK(std::fabs(sampled_cross_entropy(found.task()) - expected) < 1e-6 * (1 + expected));
      CHECK(largest_difference(found.logits, gradient) < 3e-7);
      CHECK(largest_difference(found.target_logits, target_gradient) < 3e-7);
      for (std::int64_t s = 0; s < count; ++s) {
        CHECK(found.logits[static_cast<std::size_t>(count + s)] == 0.0F);
      }
      CHECK(found.target_logits[1] == 0.0F);
      CHECK(found.logits[0] == 0.0F);
      CHECK(found.logits[static_cast<std::size_t>(4 * count - 1)] == 0.0F);
    }
  });
}

TEST_CASE("sampled cross entropy of more samples than are summed at once") {
  for_each_instruction_set([] {
    Samples found(2500);
    const double expected = found.loss(widened(found.logits), widened(found.target_logits));
    CHECK(sampled_cross_entropy(found.task()) == doctest::Approx(expected).epsilon(1e-6));
    // The gradients of each row sum to 0.
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = double{found.target_logits[row]};
      for (std::size_t s = 0; s < 2500; ++s) sum += double{found.logits[row * 2500 + s]};
      CHECK(std::fabs(sum) < 1e-6);
    }
  });
}

TEST_CASE("a nearly certain target still has a gradient") {
  Samples found(3);
  found.targets = {-1, -1, 100, -1};
  found.offsets = {0.0F, 0.0F, 0.0F};
  found.logits.assign(found.logits.size(), -40.0F);
  found.target_logits[2] = 0.0F;
  CHECK(sampled_cross_entropy(found.task()) < 1e-15);
  CHECK(found.target_logits[2] == doctest::Approx(-0.25 * 3 * std::exp(-40.0)).epsilon(1e-5));
}

TEST_CASE("impossible samples are left out, and NaN shows in the loss") {
  Samples found(20);
  found.logits[20 * 2 + 4] = -kFloatInfinity;
  const double expected = found.loss(widened(found.logits), widened(found.target_logits));
  CHECK(sampled_cross_entropy(found.task()) == doctest::Approx(expected).epsilon(1e-6));
  CHECK(found.logits[20 * 2 + 4] == 0.0F);

  Samples broken(20);
  broken.logits[3] = kFloatNaN;
  CHECK(std::isnan(sampled_cross_entropy(broken.task())));
  Samples unlikely(20);
  unlikely.target_logits[0] = -kFloatInfinity;
  CHECK(sampled_cross_entropy(unlikely.task()) == INFINITY);
}

DoubleNumbers softmax_of(const double* values, std::int64_t size) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < size; ++i) sum += std::exp(values[i]);
  DoubleNumbers shares;
  for (std::int64_t i = 0; i < size; ++i) shares.push_back(std::exp(values[i]) / sum);
  return shares;
}

TEST_CASE("softmax of rows, and its gradient") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    for (const std::int64_t columns : {1, 2, 15, 16, 17, 300}) {
      CAPTURE(columns);
      const std::int64_t stride = columns + 5;
      const FloatNumbers values = normal_numbers(kRows * stride, 4.0F, 1);
      const FloatNumbers weights = normal_numbers(kRows * stride, 1.0F, 2);
      FloatNumbers shares = values;
      softmax_rows(shares.data(), kRows, columns, stride);
      FloatNumbers gradient = weights;
      softmax_rows_backward(shares.data(), kRows, columns, stride, gradient.data());
      for (std::int64_t row = 0; row < kRows; ++row) {
        const auto begin = values.begin() + row * stride;
        DoubleNumbers one(begin, begin + columns);
        const auto found = shares.begin() + row * stride;
        CHECK(largest_difference({found, found + columns}, softmax_of(one.data(), columns)) < 1e-6);
        const DoubleNumbers expected = central_differences(one, [&] {
          const DoubleNumbers of_one = softmax_of(one.data(), columns);
          double loss = 0.0;
          for (std::int64_t c = 0; c < columns; ++c) {
            loss += of_one[static_cast<std::size_t>(c)] *
                    double{weights[static_cast<std::size_t>(row * stride + c)]};
          }
          return loss;
        });
        const auto slope = gradient.begin() + row * stride;
        CHECK(largest_difference({slope, slope + columns}, expected) < 1e-6);
        // The space between rows stays as it was.
        CHECK(shares[static_cast<std::size_t>(row * stride + columns)] ==
              values[static_cast<std::size_t>(row * stride + columns)]);
        CHECK(gradient[static_cast<std::size_t>(row * stride + columns)] ==
              weights[static_cast<std::size_t>(row * stride + columns)]);
      }
    }
  });
}

TEST_CASE("softmax of values of any size, and of NaN") {
  for_each_instruction_set([] {
    FloatNumbers values{1000.0F, 999.0F, -3e38F};
    softmax_rows(values.data(), 1, 3, 3);
    CHECK(values[0] == doctest::Approx(1.0 / (1.0 + std::exp(-1.0))));
    CHECK(values[2] == 0.0F);
    for (const std::size_t place : {0U, 5U, 17U}) {
      FloatNumbers row(18, 1.0F);
      row[place] = std::numeric_limits<float>::quiet_NaN();
      softmax_rows(row.data(), 1, 18, 18);
      for (const float value : row) CHECK(std::isnan(value));
    }
  });
}

}  // namespace

}  // namespace elmo
