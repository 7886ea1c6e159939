#include "io/text/segment/script.h"

#include <doctest/doctest.h>

namespace elmo {
namespace {

TEST_CASE("a word's script is that of its first character that has one") {
  CHECK(script_of("word") == "Latn");
  CHECK(script_of("\u201cword") == "Latn");
  CHECK(script_of("3\uac1c") == "Hang");
  CHECK(script_of("\u96ea") == "Hani");
  CHECK(script_of("\u0441\u043d\u0435\u0433") == "Cyrl");
  CHECK(script_of("\u304b\u306a") == "Hira");
}

TEST_CASE("numbers, signs and nothing have no script") {
  for (const char* word : {"", "1984", "\u2014", "\U0001f642", "..."}) {
    CAPTURE(word);
    CHECK(script_of(word).empty());
  }
}

}  // namespace
}  // namespace elmo
