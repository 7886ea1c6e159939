#include "core/nn/affine.h"

#include <doctest/doctest.h>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"

namespace elmo {
namespace {

TEST_CASE("an affine map of many rows is the same side by side") {
  constexpr std::int64_t kInputs = 300;
  constexpr std::int64_t kOutputs = 7;
  for (const std::int64_t rows : {1, 1024, 2500}) {
    CAPTURE(rows);
    const Matrix input = normal_matrix(rows, kInputs, 1);
    const Matrix gradient = normal_matrix(rows, kOutputs, 2);
    Linear alone("linear", kInputs, kOutputs);
    randomize(alone.parameters(), 3);
    Matrix expected;
    Matrix expected_gradient;
    alone.forward(input, expected);
    alone.backward(gradient, &expected_gradient);
    std::vector<AlignedVector<float>> first;
    for (const int count : {1, 2, 3}) {
      Workers workers(count);
      Linear linear("linear", kInputs, kOutputs);
      randomize(linear.parameters(), 3);
      Matrix found;
      Matrix found_gradient;
      linear.forward(input, workers, found);
      linear.backward(gradient, workers, found_gradient);
      check_outputs(found.values, widened(expected));
      check_outputs(found_gradient.values, widened(expected_gradient));
      for (std::size_t i = 0; i < 2; ++i) {
        const AlignedVector<float>& of_alone = alone.parameters()[i]->gradient;
        CHECK(largest_difference({linear.parameters()[i]->gradient.begin(),
                                  linear.parameters()[i]->gradient.end()},
                                 DoubleNumbers(of_alone.begin(), of_alone.end())) < 1e-3);
      }
      std::vector<AlignedVector<float>> bits = {found.values, found_gradient.values};
      for (const Parameter* parameter : linear.parameters()) bits.push_back(parameter->gradient);
      if (first.empty()) first = bits;
      CHECK(bits == first);
    }
  }
}

}  // namespace
}  // namespace elmo
