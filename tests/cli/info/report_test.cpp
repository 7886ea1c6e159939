#include "cli/info/report.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace elmo {
namespace {

TEST_CASE("a fact is stated once, for people and for JSON") {
  Description description;
  description.member("kind", "run");
  description.fact("tokens", "1,234", "tokens", 1234);
  description.fact("version", "0.7");
  description.line("family", "published");
  CHECK(description.text() == "tokens   1,234\nversion  0.7\nfamily   published\n");
  CHECK(description.json() ==
        "{\n  \"kind\": \"run\",\n  \"tokens\": 1234,\n  \"version\": \"0.7\"\n}\n");
}

TEST_CASE("a missing name is refused") {
  CHECK_THROWS_AS(describe("missing/file", false), InputError);
}

}  // namespace
}  // namespace elmo
