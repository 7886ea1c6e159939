#include "core/train/optimizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/parameters.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

constexpr float kRate = 0.05F;
constexpr float kScale = 0.5F;
constexpr double kStepTolerance = 2e-6;

using Numbers = std::vector<float>;

Numbers random_numbers(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Numbers numbers(size);
  for (float& number : numbers) number = static_cast<float>(engine() >> 40U) * 0x1p-23F - 1.0F;
  return numbers;
}

/// One number and its optimizer state, written plainly from the papers in float64.
struct ScalarReference {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;

  void step(const OptimizerOptions& options, bool decays, double number, double gradient) {
    const double g = gradient * double{kScale};
    const double decay = decays ? double{options.weight_decay} * value : 0.0;
    if (options.kind == Optimizer::adagrad) {  // Duchi et al. 2011
      second += g * g;
      value -= double{kRate} * (g / std::sqrt(second) + decay);
      return;
    }
    first = 0.9 * first + 0.1 * g;  // Kingma and Ba 2015, algorithm 1
    second = 0.999 * second + 0.001 * g * g;
    const double mean = first / (1.0 - std::pow(0.9, number));
    const double variance = second / (1.0 - std::pow(0.999, number));
    value -= double{kRate} * (mean / (std::sqrt(variance) + 1e-8) + decay);
  }
};

OptimizerOptions options_of(Optimizer kind) {
  OptimizerOptions options;
  options.kind = kind;
  options.weight_decay = 0.1F;
  options.initial_accumulator = 0.25F;
  return options;
}

std::vector<ScalarReference> references(const OptimizerOptions& options, const Numbers& values) {
  std::vector<ScalarReference> result;
  const double second =
      options.kind == Optimizer::adagrad ? double{options.initial_accumulator} : 0.0;
  for (const float value : values) result.push_back({double{value}, 0.0, second});
  return result;
}

/// Returns a parameter with these values.
Parameter parameter_of(const std::string& name, std::vector<std::int64_t> shape,
                       const Numbers& values) {
  Parameter parameter(name, std::move(shape));
  REQUIRE(values.size() == parameter.size());
  parameter.values.assign(values.begin(), values.end());
  parameter.clear_gradient();
  return parameter;
}

void check_close(const AlignedVector<float>& values, const std::vector<ScalarReference>& expected) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(double{values[i]} - expected[i].value) < kStepTolerance);
  }
}

TEST_CASE("dense parameters and touched rows follow the scalar equations") {
  constexpr std::size_t kRows = 9;
  constexpr std::size_t kWidth = 5;
  for (const Optimizer kind : {Optimizer::adam, Optimizer::adagrad}) {
    CAPTURE(kind == Optimizer::adam);
    const OptimizerOptions options = options_of(kind);
    const Numbers first_bias = random_numbers(70001, 1);  // more than one worker takes at once
    const Numbers first_table = random_numbers(kRows * kWidth, 2);
    std::vector<ScalarReference> expected_bias = references(options, first_bias);
    std::vector<ScalarReference> expected_table = references(options, first_table);
    Parameter bias = parameter_of("bias", {70001}, first_bias);
    bias.decays = false;
    Parameter table = parameter_of("table", {kRows, kWidth}, first_table);
    table.frozen_steps = 2;
    ParameterOptimizer optimizer(options, {&bias, &table});
    Workers workers(2);
    for (std::uint64_t step = 0; step < 6; ++step) {
      const std::vector<std::int32_t> rows{1, static_cast<std::int32_t>(3 + step % 4), 8};
      const Numbers bias_gradient = random_numbers(bias.size(), 100 + step);
      const Numbers row_gradient = random_numbers(rows.size() * kWidth, 200 + step);
      bias.gradient.assign(bias_gradient.begin(), bias_gradient.end());
      table.touched = rows;
      table.gradient.assign(row_gradient.begin(), row_gradient.end());
      optimizer.apply(step, kRate, kScale, workers);
      const auto number = static_cast<double>(step + 1);
      for (std::size_t i = 0; i < bias.size(); ++i) {
        expected_bias[i].step(options, false, number, double{bias_gradient[i]});
      }
      if (step < 2) continue;  // the table is frozen
      for (std::size_t n = 0; n < rows.size(); ++n) {
        for (std::size_t k = 0; k < kWidth; ++k) {
          expected_table[static_cast<std::size_t>(rows[n]) * kWidth + k].step(
              options, true, number - 2.0, double{row_gradient[n * kWidth + k]});
        }
      }
    }
    check_close(bias.values, expected_bias);
    check_close(table.values, expected_table);
  }
}

TEST_CASE("untouched rows keep their values and moments") {
  Parameter table = parameter_of("table", {4, 3}, random_numbers(12, 3));
  const AlignedVector<float> before = table.values;
  ParameterOptimizer optimizer(options_of(Optimizer::adam), {&table});
  Workers workers(1);
  table.touched = {2};
  table.gradient.assign(3, 1.0F);
  optimizer.apply(0, kRate, kScale, workers);
  const std::vector<StateArray> state = optimizer.state();
  REQUIRE(state.size() == 3);  // the values, then the moments
  for (std::size_t i = 0; i < table.size(); ++i) {
    CAPTURE(i);
    const bool touched = i / 3 == 2;
    CHECK((table.values[i] != before[i]) == touched);
    CHECK((state[1].values[i] != 0.0F) == touched);
    CHECK((state[2].values[i] != 0.0F) == touched);
  }
}

TEST_CASE("the norm is over all gradients together") {
  Parameter dense("dense", {2});
  dense.gradient = {3.0F, 0.0F};
  Parameter table("table", {9, 3});
  table.touched = {7};
  table.gradient = {0.0F, -4.0F, 12.0F};
  const std::vector<Parameter*> both{&dense, &table};
  for (const int count : {1, 3}) {
    Workers workers(count);
    CHECK(global_norm(both, workers) == 13.0);
    CHECK(global_norm({}, workers) == 0.0);
  }
}

TEST_CASE("state arrays are named after the parameters and have their shapes") {
  Parameter weights("W", {3, 2});
  Parameter bias("b", {2});
  const auto names_of = [&](Optimizer kind) {
    ParameterOptimizer optimizer(options_of(kind), {&weights, &bias});
    std::string names;
    for (const StateArray& array : optimizer.state()) {
      const auto size = std::accumulate(array.shape.begin(), array.shape.end(), std::int64_t{1},
                                        std::multiplies<>());
      CHECK(static_cast<std::size_t>(size) == array.values.size());
      names += array.name + ' ';
    }
    return names;
  };
  CHECK(names_of(Optimizer::adam) ==
        "parameters/W parameters/b first_moment/W second_moment/W first_moment/b second_moment/b ");
  CHECK(names_of(Optimizer::adagrad) == "parameters/W parameters/b accumulator/W accumulator/b ");
}

}  // namespace
}  // namespace elmo
