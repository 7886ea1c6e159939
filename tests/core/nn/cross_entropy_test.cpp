#include "core/nn/cross_entropy.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/nn/packed.h"
#include "tests/reference/question_layers.h"

namespace elmo {
namespace {

TEST_CASE("loss of several correct candidates") {
  const Matrix first = normal_matrix(1, 9, 1, 3.0F);
  for (const std::vector<std::size_t>& right :
       {std::vector<std::size_t>{4}, std::vector<std::size_t>{0, 3, 8},
        std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}}) {
    CAPTURE(right.size());
    std::vector<std::uint8_t> marks(9, 0);
    for (const std::size_t i : right) marks[i] = 1;
    AlignedVector<float> scores = first.values;
    const double loss = summed_cross_entropy(scores, marks, 1.0F);
    DoubleNumbers values = widened(first);
    const auto reference = [&] { return reference_summed_cross_entropy(values, right); };
    CHECK(loss == doctest::Approx(reference()).epsilon(1e-6));
    check_gradient(scores, values, reference);
    AlignedVector<float> half = first.values;
    CHECK(summed_cross_entropy(half, marks, 0.5F) == loss);
    for (std::size_t i = 0; i < half.size(); ++i) CHECK(half[i] == 0.5F * scores[i]);
  }
}

TEST_CASE("scores that are far apart give a finite loss") {
  std::vector<float> scores = {1000.0F, -1000.0F};
  CHECK(summed_cross_entropy(scores, std::vector<std::uint8_t>{0, 1}, 1.0F) == 2000.0);
  CHECK(scores == std::vector<float>{1.0F, -1.0F});
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

TEST_CASE("cross entropy of a nearly impossible label is finite") {
  Matrix logits(1, 2);
  logits.values = {-500.0F, 500.0F};
  const std::vector<std::int32_t> targets{0};
  CHECK(softmax_cross_entropy(logits, targets, 1.0F) == doctest::Approx(1000.0));
  CHECK(logits.values[0] == -1.0F);
  CHECK(logits.values[1] == 1.0F);
  logits.values = {std::numeric_limits<float>::quiet_NaN(), 0.0F};
  CHECK(std::isnan(softmax_cross_entropy(logits, targets, 1.0F)));
}

}  // namespace
}  // namespace elmo
