#include "core/nn/layer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/core/kernels/numbers.h"
#include "tests/core/nn/packed.h"

namespace elmo {
namespace {

TEST_CASE("shares are summed in order, for any number of workers") {
  constexpr std::int64_t kSize = 200'000;
  std::vector<FloatNumbers> parts;
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    parts.push_back(normal_numbers(kSize, 1.0F, seed));
  }
  for (const int count : {1, 2, 5}) {
    CAPTURE(count);
    Workers workers(count);
    Parameter large("large", {kSize});
    Parameter alone("alone", {2});
    std::vector<GradientShare> shares{GradientShare(true), GradientShare(false),
                                      GradientShare(false)};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i].of(large).assign(parts[i].begin(), parts[i].end());
    }
    shares[0].of(alone).assign({1.0F, 2.0F});
    sum_shares(std::vector<Parameter*>{&large, &alone},
               std::vector<const GradientShare*>{&shares[0], &shares[1], &shares[2]}, workers);
    bool equal = true;
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
      equal = equal && large.gradient[i] == (parts[0][i] + parts[1][i]) + parts[2][i];
    }
    CHECK(equal);
    CHECK(alone.gradient[0] == 1.0F);
    CHECK(alone.gradient[1] == 2.0F);
  }
}

TEST_CASE("dropped values depend on the mask only, and the others are scaled") {
  const Matrix input = normal_matrix(700, 101, 1);  // more than one worker takes at a time
  const PassOptions training{true, 3, 4};
  std::vector<Matrix> results;
  for (const int count : {1, 3}) {
    Workers workers(count);
    drop(training, 0.25F, 5, workers, results.emplace_back(input));
  }
  CHECK(results[0].values == results[1].values);
  const float kept = kept_factor(training, 0.25F);
  std::size_t dropped = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    const float value = results[0].values[i];
    if (value == 0.0F) {
      ++dropped;
    } else if (value != input.values[i] * kept) {
      ++others;
    }
  }
  CHECK(others == 0);
  CHECK(static_cast<double>(dropped) / static_cast<double>(input.values.size()) ==
        doctest::Approx(0.25).epsilon(0.05));

  // A mask for some columns equals the mask of a matrix with only these columns.
  Workers workers(1);
  Matrix alone(700, 3);
  alone.values.assign(alone.values.size(), 1.0F);
  drop(training, 0.25F, 5, workers, alone);
  Matrix among(700, 5);
  among.values.assign(among.values.size(), 1.0F);
  drop_columns(training, 0.25F, 5, among, 1, 3);
  for (std::int64_t row = 0; row < alone.rows; ++row) {
    CHECK(std::equal(alone.row(row), alone.row(row) + 3, among.row(row) + 1));
    CHECK(among.row(row)[0] == 1.0F);
    CHECK(among.row(row)[4] == 1.0F);
  }
}

TEST_CASE("nothing is dropped outside of training") {
  const Matrix input = normal_matrix(4, 5, 1);
  Workers workers(1);
  Matrix output = input;
  drop({}, 0.5F, 1, workers, output);
  drop_columns({}, 0.5F, 1, output, 0, 5);
  CHECK(output.values == input.values);
  CHECK(kept_factor({}, 0.5F) == 1.0F);
}

}  // namespace
}  // namespace elmo
