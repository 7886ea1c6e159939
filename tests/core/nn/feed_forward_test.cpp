#include "core/nn/feed_forward.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

// w · relu(relu(z) W + b) + c
double score_reference(const ReferenceValues& values, const ReferenceRow& sums) {
  const ReferenceRow hidden = reference_relu(reference_linear(
      {reference_relu(sums)}, values.at("net/hidden/W"), values.at("net/hidden/b"))[0]);
  double score = values.at("net/score/b")[0];
  for (std::size_t c = 0; c < hidden.size(); ++c) score += values.at("net/score/W")[c] * hidden[c];
  return score;
}

TEST_CASE("maxout") {
  constexpr std::int64_t kRows = 3;
  constexpr std::int64_t kPool = 4;
  const Matrix in = normal_matrix(kRows, 5 * kPool, 1);
  DoubleNumbers values = widened(in);
  const auto reference = [&] { return reference_maxout(values, kPool); };
  Maxout maxout(kPool);
  Matrix out;
  maxout.forward(in, out);
  CHECK(out.rows == kRows);
  CHECK(out.columns == 5);
  check_outputs(out.values, reference());

  const Matrix gradient = normal_matrix(kRows, 5, 2);
  Matrix in_gradient;
  maxout.backward(gradient, in_gradient);
  check_gradient(in_gradient.values, values, [&] { return weighted(reference(), gradient); });

  for (const std::size_t place : {0U, 1U, 3U}) {
    Matrix one(1, kPool);
    one.values[place] = std::numeric_limits<float>::quiet_NaN();
    maxout.forward(one, out);
    CHECK(std::isnan(out.values[0]));
  }
}

TEST_CASE("a score network and its gradient") {
  constexpr std::int64_t kNetColumns = 4;
  ScoreNetwork network("net", kNetColumns, 0.5F, 16);
  ReferenceValues values = randomize(network.parameters(), 1);
  Workers workers(2);
  const Matrix input = normal_matrix(6, kNetColumns, 7);
  DoubleNumbers sums = widened(input);
  Matrix kept = input;
  AlignedVector<float> scores;
  network.forward(kept, {}, workers, scores);
  const auto reference = [&] {
    DoubleNumbers all;
    for (const ReferenceRow& row : rows_of(sums, kNetColumns, 0, input.rows)) {
      all.push_back(score_reference(values, row));
    }
    return all;
  };
  check_outputs(scores, reference());

  Matrix again = input;
  AlignedVector<float> room;
  AlignedVector<float> alone(6);
  network.score(again.values.data(), 6, room, alone.data());
  CHECK(alone == scores);

  const Matrix gradient = normal_matrix(6, 1, 8);
  Matrix sum_gradient;
  network.backward(gradient.values, {}, workers, sum_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(sum_gradient.values, sums, loss);
  check_gradients(network.parameters(), values, loss);
}

}  // namespace
}  // namespace elmo
