// Joining, splitting and parsing texts.
#include "core/text.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

namespace elmo {
namespace {

struct Named {
  std::string name;
  int number = 0;

  std::string text() const { return name + std::to_string(number); }
};

TEST_CASE("alternatives have an or before the last one") {
  CHECK(alternatives({"a"}) == "a");
  CHECK(alternatives({"a", "b"}) == "a or b");
  CHECK(alternatives({"a", "b", "c"}) == "a, b or c");
}

TEST_CASE("texts are joined with separators between them only") {
  CHECK(joined(std::vector<std::string>{}, ", ").empty());
  CHECK(joined(std::vector<std::string>{"a"}, ", ") == "a");
  CHECK(joined(std::array<std::string_view, 3>{"", "b", ""}, ", ") == ", b, ");
}

TEST_CASE("elements are joined by a member or a function") {
  const std::vector<Named> all = {{"a", 1}, {"b", 2}};
  CHECK(joined(all, "|", &Named::name) == "a|b");
  CHECK(joined(all, "|", &Named::text) == "a1|b2");
  CHECK(joined(std::vector<int>{1, 2}, " ", [](int n) { return std::to_string(n); }) == "1 2");
}

TEST_CASE("a text has one part more than separators") {
  using Pieces = std::vector<std::string_view>;
  CHECK(split("a,,b", ',') == Pieces{"a", "", "b"});
  CHECK(split("", ',') == Pieces{""});
  CHECK(split("a b ", ' ') == Pieces{"a", "b", ""});
}

TEST_CASE("messages quote no more than 200 characters") {
  const std::string letters(200, 'x');
  CHECK(excerpt(letters) == letters);
  CHECK(excerpt(letters + "y") == letters + "…");
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "ü";
  CHECK(excerpt(wide) == wide);
  CHECK(excerpt(wide + "e\u0301") == wide + "…");
}

TEST_CASE("a number is all of a text") {
  CHECK(number_of<std::uint8_t>("255") == 255);
  CHECK(number_of<double>("-1.5e3") == -1500.0);
  CHECK_FALSE(number_of<std::uint8_t>("256"));
  CHECK_FALSE(number_of<int>(""));
  CHECK_FALSE(number_of<int>(" 1"));
  CHECK_FALSE(number_of<int>("1x"));
}

}  // namespace
}  // namespace elmo
