#include "core/nn/embedding.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/core/nn/parameters.h"

namespace elmo {
namespace {

TEST_CASE("embedding: only rows that were looked up have a gradient") {
  Embedding embedding("words", 9, 4);
  ReferenceValues values = randomize({&embedding.parameter()}, 1);
  const std::vector<std::int32_t> rows = {3, 0, 3, 8};
  Matrix output(4, 4 + kBeside);
  embedding.forward(rows, output, 1);
  const auto reference = [&] {
    DoubleNumbers outputs;
    for (const std::int32_t row : rows) {
      append(outputs, rows_of(values.at("words"), 4, row, row + 1));
    }
    return outputs;
  };
  check_outputs(columns_from(output, 1, 4).values, reference());
  const Matrix gradient = normal_matrix(4, 4 + kBeside, 2);
  embedding.backward(gradient, 1);
  const Parameter& parameter = embedding.parameter();
  CHECK(*parameter.touched == std::vector<std::int32_t>{3, 0, 8});
  CHECK(parameter.gradient.size() == 12);
  const Matrix own = columns_from(gradient, 1, 4);
  const auto loss = [&] { return weighted(reference(), own); };
  check_gradients({&embedding.parameter()}, values, loss);

  SUBCASE("gradients of two batches add up") {
    const Parameter before = parameter;
    embedding.backward(gradient, 1);
    CHECK(*parameter.touched == *before.touched);
    for (std::size_t i = 0; i < before.gradient.size(); ++i) {
      CHECK(parameter.gradient[i] == doctest::Approx(2.0F * before.gradient[i]));
    }
  }
  SUBCASE("the next step begins without any") {
    embedding.parameter().clear_gradient();
    CHECK(parameter.touched->empty());
    CHECK(parameter.gradient.empty());
  }
}

}  // namespace
}  // namespace elmo
