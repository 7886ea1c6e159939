#include "io/engine/run_layer.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {

TEST_CASE("find_layer and chosen_layer: names, 0 for x, and the top by default") {
  const ActivationLayout layout{{"x", "forward_1", "backward_1", "forward_2", "backward_2"}, 8};
  const std::vector<TokenLayer> layers = token_layers(layout);
  CHECK(find_layer(layers, "x") == 0U);
  CHECK(find_layer(layers, "0") == 0U);
  CHECK(find_layer(layers, "2") == 2U);
  CHECK_FALSE(find_layer(layers, "3"));
  CHECK_FALSE(find_layer(layers, ""));
  CHECK(chosen_layer(layout, "").name == "2");
  CHECK(chosen_layer(layout, "0").name == "x");
  CHECK_THROWS_WITH_AS(chosen_layer(layout, "3"), "layer: found '3'; expected one of x, 1, 2",
                       RequestError);
  CHECK_THROWS_AS(chosen_layer({{"top"}, 16}, "0"), RequestError);
}

}  // namespace elmo
