// What stands between pooled rows and a label: maxout, rectified sums, cross entropy.
#include <doctest/doctest.h>

#include <limits>

#include "core/nn/affine.h"
#include "core/nn/cross_entropy.h"
#include "core/nn/feed_forward.h"
#include "tests/core/nn/packed.h"

namespace elmo {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

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
    one.values[place] = kNotANumber;
    maxout.forward(one, out);
    CHECK(std::isnan(out.values[0]));
  }
}

TEST_CASE("rectified sums") {
  const Matrix in = normal_matrix(4, 9, 3);
  DoubleNumbers values = widened(in);
  Matrix out = in;
  relu(out);
  check_outputs(out.values, reference_relu(values));
  const Matrix gradient = normal_matrix(4, 9, 4);
  Matrix in_gradient = gradient;
  relu_backward(out, 1.0F, in_gradient);
  check_gradient(in_gradient.values, values,
                 [&] { return weighted(reference_relu(values), gradient); });
  Matrix none(1, 1);
  none.values[0] = kNotANumber;
  relu(none);
  CHECK(std::isnan(none.values[0]));
}

TEST_CASE("cross entropy of labels") {
  for (const std::int64_t labels : {1, 2, 5, 40}) {
    CAPTURE(labels);
    constexpr std::int64_t kRows = 6;
    const Matrix logits = normal_matrix(kRows, labels, 5, 3.0F);
    DoubleNumbers values = widened(logits);
    std::vector<std::int32_t> targets;
    for (std::int64_t row = 0; row < kRows; ++row) {
      targets.push_back(static_cast<std::int32_t>((row * 7) % labels));
    }
    constexpr float kScale = 0.25F;
    const auto reference = [&] {
      double loss = 0.0;
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto r = static_cast<std::int64_t>(row);
        loss += reference_cross_entropy(rows_of(values, labels, r, r + 1)[0],
                                        static_cast<std::size_t>(targets[row]));
      }
      return loss;
    };
    Matrix gradient = logits;
    CHECK(softmax_cross_entropy(gradient, targets, kScale) ==
          doctest::Approx(reference()).epsilon(1e-6));
    check_gradient(gradient.values, values, [&] { return double{kScale} * reference(); });

    const std::vector<float> weights{0.5F, 2.0F, 1.0F, 0.25F, 3.0F, 1.0F};
    const auto weighted = [&] {
      double loss = 0.0;
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto r = static_cast<std::int64_t>(row);
        loss +=
            double{weights[row]} * reference_cross_entropy(rows_of(values, labels, r, r + 1)[0],
                                                           static_cast<std::size_t>(targets[row]));
      }
      return loss;
    };
    gradient = logits;
    CHECK(softmax_cross_entropy(gradient, targets, kScale, weights) ==
          doctest::Approx(weighted()).epsilon(1e-6));
    check_gradient(gradient.values, values, [&] { return double{kScale} * weighted(); });
  }
}

TEST_CASE("cross entropy of a label that is all but impossible is a number") {
  Matrix logits(1, 2);
  logits.values = {-500.0F, 500.0F};
  const std::vector<std::int32_t> targets{0};
  CHECK(softmax_cross_entropy(logits, targets, 1.0F) == doctest::Approx(1000.0));
  CHECK(logits.values[0] == -1.0F);
  CHECK(logits.values[1] == 1.0F);
  logits.values = {kNotANumber, 0.0F};
  CHECK(std::isnan(softmax_cross_entropy(logits, targets, 1.0F)));
}

}  // namespace
}  // namespace elmo
