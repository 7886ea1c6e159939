// Joining, splitting and parsing texts, and numbers as people read them.
#include "core/text.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

namespace elmo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Seconds = std::chrono::duration<double>;

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

TEST_CASE("texts are joined with separators only between them") {
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

TEST_CASE("a text has one more part than separators") {
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

TEST_CASE("a number must span the whole text") {
  CHECK(number_of<std::uint8_t>("255") == 255);
  CHECK(number_of<std::uint64_t>("010") == 10);
  CHECK(number_of<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  for (const char* text : {"", "-1", "+1", "1.0", "1 ", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK_FALSE(number_of<std::uint64_t>(text));
  }
  CHECK(number_of<double>("-1.5e3") == -1500.0);
  CHECK_FALSE(number_of<std::uint8_t>("256"));
  CHECK_FALSE(number_of<int>(""));
  CHECK_FALSE(number_of<int>(" 1"));
  CHECK_FALSE(number_of<int>("1x"));
}

TEST_CASE("whole numbers are the nearest ones") {
  CHECK(nearest_whole(2.4) == 2);
  CHECK(nearest_whole(2.5) == 3);
  CHECK(nearest_whole(1e300) == 1'000'000'000'000'000'000U);
  CHECK(nearest_whole(kInfinity) == nearest_whole(1e300));
  for (const double none : {0.0, -3.0, -kInfinity, kNan}) CHECK(nearest_whole(none) == 0);
}

TEST_CASE("every rate can be printed") {
  CHECK(human_rate(1234.4, "tokens") == "1,234 tokens/s");
  CHECK(human_rate(10, Seconds(4), "lines") == "3 lines/s");
  CHECK(human_rate(10, Seconds(0), "tokens") == human_rate(kInfinity, "tokens"));
  CHECK(human_rate(0, Seconds(0), "tokens") == "0 tokens/s");
}

TEST_CASE("every time can be printed") {
  CHECK(human_time(Seconds(0.424)) == "0.42 s");
  CHECK(human_time(0.424) == "0.42 s");
  CHECK(human_time(Seconds(200)) == "3 min 20 s");
  CHECK(human_time(Seconds(kInfinity)) == human_time(Seconds(1e300)));
  CHECK(human_time(Seconds(kInfinity)) == "277777 h 46 min");
  for (const double none : {-1.0, -kInfinity, kNan}) CHECK(human_time(Seconds(none)) == "0 s");
  CHECK(human_time_left(Seconds(6.2)) == "7 s");
  CHECK(human_time_left(Seconds(kInfinity)) == human_time(Seconds(kInfinity)));
  CHECK(human_time_left(Seconds(kNan)) == "0 s");
}

}  // namespace
}  // namespace elmo
