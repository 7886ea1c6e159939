#include "core/nn/affine.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

TEST_CASE("an affine map of many rows in parallel equals the serial one") {
  constexpr std::int64_t kInputs = 300;
  constexpr std::int64_t kOutputs = 7;
  for (const std::int64_t rows : {1, 1024, 2500}) {
    CAPTURE(rows);
    const Matrix input = normal_matrix(rows, kInputs, 1);
    const Matrix gradient = normal_matrix(rows, kOutputs, 2);
    Affine alone("linear", kInputs, kOutputs);
    randomize(alone.parameters(), 3);
    Matrix expected;
    Matrix expected_gradient;
    alone.forward(input, expected);
    alone.backward(gradient, &expected_gradient);
    std::vector<AlignedVector<float>> first;
    for (const int count : {1, 2, 3}) {
      Workers workers(count);
      Affine linear("linear", kInputs, kOutputs);
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

TEST_CASE("affine map") {
  Affine affine("affine", 6, 4);
  ReferenceValues values = randomize(affine.parameters(), 1);
  const Matrix input = normal_matrix(5, 6, 2);
  Matrix output;
  affine.forward(input, output);
  DoubleNumbers in = widened(input);
  const auto reference = [&] {
    DoubleNumbers outputs;
    append(outputs,
           reference_linear(rows_of(in, 6, 0, 5), values.at("affine/W"), values.at("affine/b")));
    return outputs;
  };
  check_outputs(output.values, reference());
  const Matrix gradient = normal_matrix(5, 4, 3);
  Matrix input_gradient;
  affine.backward(gradient, &input_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(input_gradient.values, in, loss);
  check_gradients(affine.parameters(), values, loss);
}

TEST_CASE("rectified sums") {
  const Matrix in = normal_matrix(4, 9, 3);
  DoubleNumbers values = widened(in);
  Matrix out = in;
  relu(out.values);
  check_outputs(out.values, reference_relu(values));
  const Matrix gradient = normal_matrix(4, 9, 4);
  Matrix in_gradient = gradient;
  relu_backward(out, 1.0F, in_gradient);
  check_gradient(in_gradient.values, values,
                 [&] { return weighted(reference_relu(values), gradient); });
  Matrix none(1, 1);
  none.values[0] = std::numeric_limits<float>::quiet_NaN();
  relu(none.values);
  CHECK(std::isnan(none.values[0]));
}

}  // namespace
}  // namespace elmo
