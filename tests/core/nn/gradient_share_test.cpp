#include "core/nn/gradient_share.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace elmo {
namespace {

TEST_CASE("the first worker's part is the parameter's gradient, to which others' parts are added") {
  Parameter dense("dense", {2, 2});
  Parameter table("table", {9, 2});
  table.touched = {1, 4, 5};
  GradientShare first(true);
  GradientShare second(false);
  GradientShare idle(false);
  for (Parameter* parameter : {&dense, &table}) {
    CAPTURE(parameter->name);
    AlignedVector<float>& own = first.of(*parameter);
    CHECK(&own == &parameter->gradient);
    REQUIRE(own.size() == parameter->gradient_size());
    std::fill(own.begin(), own.end(), 1.0F);
    AlignedVector<float>& part = second.of(*parameter);
    CHECK(&part != &parameter->gradient);
    REQUIRE(part.size() == own.size());
    std::fill(part.begin(), part.end(), 2.0F);
    for (const GradientShare* share : {&first, &second, &idle}) share->add_to(*parameter);
    CHECK(parameter->gradient == AlignedVector<float>(own.size(), 3.0F));
  }
  CHECK(table.gradient.size() == 6);
}

}  // namespace
}  // namespace elmo
