#include "core/nn/character_cnn.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

TEST_CASE("character CNN") {
  for (const std::int64_t width : {1, 3, 5}) {
    CAPTURE(width);
    const std::vector<std::string_view> tokens = {"Elmo", "a",    "\xC3\xA9t\xC3\xA9", "a",
                                                  "",     "Elmo", "unfathomably"};
    CharacterCnn cnn("cnn", 4, 6, width);
    ReferenceValues values = randomize(cnn.parameters(), 3);
    const auto rows = static_cast<std::int64_t>(tokens.size());
    Matrix output(rows, 6 + kBeside);
    cnn.forward(tokens, output, kBeside);
    const auto reference = [&] {
      DoubleNumbers outputs;
      for (const std::string_view token : tokens) {
        append(outputs,
               reference_characters(token, values.at("cnn/characters"), 4, values.at("cnn/W"),
                                    values.at("cnn/b"), static_cast<std::size_t>(width)));
      }
      return outputs;
    };
    check_outputs(columns_from(output, kBeside, 6).values, reference());
    const Matrix gradient = normal_matrix(rows, 6 + kBeside, 4);
    cnn.backward(gradient, kBeside);
    const Matrix own = columns_from(gradient, kBeside, 6);
    check_gradients(cnn.parameters(), values, [&] { return weighted(reference(), own); });
  }
}

TEST_CASE("character CNN reads long tokens up to a limit") {
  const std::string most(64, 'x');
  const std::string more(100000, 'x');
  CharacterCnn cnn("cnn", 4, 6, 3);
  cnn.initialize(1);
  Matrix output(2, 6);
  cnn.forward(std::vector<std::string_view>{most, more}, output, 0);
  CHECK(std::equal(output.row(0), output.row(1), output.row(1)));
}

}  // namespace
}  // namespace elmo
