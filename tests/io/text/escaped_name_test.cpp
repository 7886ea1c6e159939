#include "io/text/segment/escaped_name.h"

#include <doctest/doctest.h>

#include <string_view>

namespace elmo {
namespace {

using namespace std::string_view_literals;

TEST_CASE("a name that is text stays as it is") {
  for (const std::string_view name :
       {""sv, "a/b.txt"sv, "größe/日本.txt"sv, "back\\slash\\x41"sv, "\xf0\x9f\x8c\xa7"sv}) {
    CHECK(escaped_name(name) == name);
  }
}

TEST_CASE("bytes that are no text are written in hexadecimal digits") {
  CHECK(escaped_name("na\xefve.txt") == "na\\xefve.txt");
  CHECK(escaped_name("\xff\xfe") == "\\xff\\xfe");
  CHECK(escaped_name("cut \xe6\x97") == "cut \\xe6\\x97");
  CHECK(escaped_name("\xe6\x97\xa5\x80") == "\xe6\x97\xa5\\x80");
  CHECK(escaped_name("surrogate \xed\xa0\x80") == "surrogate \\xed\\xa0\\x80");
  CHECK(escaped_name("a\0b"sv) == "a\\x00b");
}

}  // namespace
}  // namespace elmo
