#include "core/nn/cross_entropy.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/core/nn/packed.h"
#include "tests/reference/question_layers.h"

namespace elmo {
namespace {

TEST_CASE("the loss of candidates of which several are right") {
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

TEST_CASE("scores far apart make no loss that is not finite") {
  std::vector<float> scores = {1000.0F, -1000.0F};
  CHECK(summed_cross_entropy(scores, std::vector<std::uint8_t>{0, 1}, 1.0F) == 2000.0);
  CHECK(scores == std::vector<float>{1.0F, -1.0F});
}

}  // namespace
}  // namespace elmo
