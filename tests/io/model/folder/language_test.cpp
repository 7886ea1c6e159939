#include "io/model/folder/language.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

namespace elmo {

TEST_CASE("parse_language: a value that nests deeply is refused, without going down it") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_THROWS_WITH_AS(parse_language("{\"language\": " + deep + "}", "here"),
                       "here: nests deeper than 32 levels; expected a language and its scripts",
                       InputError);
}

}  // namespace elmo
