#include "core/human.h"

#include <doctest/doctest.h>

#include <limits>

using namespace elmo;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Seconds = std::chrono::duration<double>;

}  // namespace

TEST_CASE("Whole numbers hold what is nearest") {
  CHECK(nearest_whole(2.4) == 2);
  CHECK(nearest_whole(2.5) == 3);
  CHECK(nearest_whole(1e300) == 1'000'000'000'000'000'000U);
  CHECK(nearest_whole(kInfinity) == nearest_whole(1e300));
  for (const double none : {0.0, -3.0, -kInfinity, kNan}) CHECK(nearest_whole(none) == 0);
}

TEST_CASE("Every rate is printed") {
  CHECK(human_rate(1234.4, "tokens") == "1,234 tokens/s");
  CHECK(human_rate(10, Seconds(4), "lines") == "3 lines/s");
  CHECK(human_rate(10, Seconds(0), "tokens") == human_rate(kInfinity, "tokens"));
  CHECK(human_rate(0, Seconds(0), "tokens") == "0 tokens/s");
}

TEST_CASE("Every time is printed") {
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
