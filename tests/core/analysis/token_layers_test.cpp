#include "core/analysis/token_layers.h"

#include <doctest/doctest.h>

namespace elmo {

TEST_CASE("token_layers: x, and both directions of each layer side by side") {
  const auto layers =
      token_layers({{"x", "forward_1", "backward_1", "forward_2", "backward_2"}, 8});
  REQUIRE(layers.size() == 3);
  CHECK(layers[0].name == "x");
  CHECK(layers[0].begin == 0);
  CHECK(layers[0].width == 8);
  CHECK(layers[1].name == "1");
  CHECK(layers[1].begin == 8);
  CHECK(layers[1].width == 16);
  CHECK(layers[2].name == "2");
  CHECK(layers[2].begin == 24);
  CHECK(layers[2].width == 16);
}

TEST_CASE("token_layers: a single row is one layer") {
  const auto layers = token_layers({{"mix"}, 16});
  REQUIRE(layers.size() == 1);
  CHECK(layers[0].name == "mix");
  CHECK(layers[0].width == 16);
}

}  // namespace elmo
