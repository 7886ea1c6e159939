#include "io/text/segment/case.h"

#include <doctest/doctest.h>

namespace elmo {

TEST_CASE("fold_case: capitals aside, words are the same") {
  CHECK(fold_case("BanK") == fold_case("bank"));
  CHECK(fold_case("STRASSE") == fold_case("straße"));
  CHECK(fold_case("Ärger") == fold_case("ÄRGER"));
  CHECK(fold_case("bank") != fold_case("banks"));
  CHECK(fold_case("") == "");
}

}  // namespace elmo
