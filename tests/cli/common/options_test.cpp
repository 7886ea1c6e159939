#include "cli/common/options.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "cli/program.h"

namespace elmo {
namespace {

TEST_CASE("byte counts accept units of powers of 1024") {
  CHECK(byte_count("65536") == 65536);
  CHECK(byte_count("64M") == std::uint64_t{64} << 20);
  CHECK(byte_count("1GiB") == std::uint64_t{1} << 30);
  CHECK(byte_count("2kb") == 2048);
  for (const char* text : {"", "M", "1X", "1MiBs", "99999999999T"}) {
    CAPTURE(text);
    CHECK(!byte_count(text));
  }
}

TEST_CASE("no range contains NaN, and its text says which ends it includes") {
  CHECK(kShare.holds(0.0));
  CHECK(!kShare.holds(1.0));
  CHECK(!NumberRange{}.holds(std::numeric_limits<double>::quiet_NaN()));
  CHECK(kShare.text() == "at least 0, less than 1");
  CHECK(kPositive.text() == "more than 0");
  CHECK(NumberRange{}.text().empty());
  CHECK(WholeRange{1, std::uint64_t{1} << 30}.text() == "1 to 2^30");
}

TEST_CASE("options are bound to variables, and those given are listed by their long names") {
  const std::shared_ptr<CLI::App> program = make_program("elmo", "");
  Options options(program.get());
  std::string output;
  std::uint64_t count = 10;
  bool flag = false;
  std::vector<float> weights;
  options.add_option("-o,--output", output, "FILE", "");
  add_whole(options, "--count", count, "N", std::uint64_t{1}, std::uint64_t{100}, "");
  options.add_flag("--flag", flag, "");
  add_numbers(options.in_group("Numbers"), "--weights", weights, "W,...", "");
  Command command = [] { return kDone; };
  const char* const words[] = {"elmo", "-o", "file", "--count", "10", "--weights", "1,-2.5"};
  CHECK(run_program(*program, command, 7, words) == kDone);
  CHECK(output == "file");
  CHECK(count == 10);
  CHECK(weights == std::vector<float>{1.0F, -2.5F});
  CHECK(options.given() == std::set<std::string>{"--count", "--output", "--weights"});
}

}  // namespace
}  // namespace elmo
