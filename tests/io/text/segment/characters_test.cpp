#include "io/text/segment/characters.h"

#include <doctest/doctest.h>

namespace elmo {

TEST_CASE("fold_case: words that differ only in case become equal") {
  CHECK(fold_case("BanK") == fold_case("bank"));
  CHECK(fold_case("STRASSE") == fold_case("straße"));
  CHECK(fold_case("Ärger") == fold_case("ÄRGER"));
  CHECK(fold_case("bank") != fold_case("banks"));
  CHECK(fold_case("") == "");
}

TEST_CASE("a word's script is that of the first character with one") {
  CHECK(script_of("word") == "Latn");
  CHECK(script_of("\u201cword") == "Latn");
  CHECK(script_of("3\uac1c") == "Hang");
  CHECK(script_of("\u96ea") == "Hani");
  CHECK(script_of("\u0441\u043d\u0435\u0433") == "Cyrl");
  CHECK(script_of("\u304b\u306a") == "Hira");
}

TEST_CASE("a code is valid if a character has that script") {
  for (const char* code : {"Latn", "Hang", "Hani", "Cyrl", "Hira", "Kana", "Arab", "Deva"}) {
    CAPTURE(code);
    CHECK(is_script(code));
  }
  for (const char* code : {"Jpan", "Kore", "Hans", "Hrkt", "Zyyy", "Zinh", "Zzzz", "latn", "Latin",
                           "Xyzw", "La", ""}) {
    CAPTURE(code);
    CHECK_FALSE(is_script(code));
  }
}

TEST_CASE("numbers, signs and empty text have no script") {
  for (const char* word : {"", "1984", "\u2014", "\U0001f642", "..."}) {
    CAPTURE(word);
    CHECK(script_of(word).empty());
  }
}

}  // namespace elmo
