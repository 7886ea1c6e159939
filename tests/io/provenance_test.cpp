#include "io/provenance.h"

#include <doctest/doctest.h>

namespace elmo {
namespace {

TEST_CASE("a difference names each component with both values") {
  const Provenance before{{"model", "0123"}, {"precision", "float32"}, {"lanes", "2"}};
  CHECK(provenance_difference(before, before).empty());
  CHECK(provenance_difference(before, {{"lanes", "2"}, {"precision", "bfloat16"}}).text() ==
        "model was 0123 and is absent; precision was float32 and is bfloat16");
  CHECK(provenance_difference({}, {{"seed", "3"}}).text() == "seed was absent and is 3");
}

}  // namespace
}  // namespace elmo
