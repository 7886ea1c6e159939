// Messages as commands word them.
#include "cli/common/reporter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

TEST_CASE("the option of a setting has its name, with two exceptions") {
  CHECK(option_of(Setting{"mix"}) == "--mix");
  CHECK(option_of(Setting{"skip_bad_records"}) == "--skip-bad-records");
  CHECK(option_of(Setting{"output"}) == "-o");
  CHECK(option_of(Setting{"job_array"}) == "--array");
}

TEST_CASE(
    "a message names settings as options, and gives advice only with options of the command") {
  const Message message =
      "found " + Setting{"learning_rate"} + Message(Remedy{"resume_or_replace"});
  CHECK(text_of(message) ==
        "found --learning-rate; continue it with --resume, or replace it with --overwrite");
  const auto has = [](std::string_view option) { return option != "--overwrite"; };
  CHECK(text_of(message, has) == "found --learning-rate");
}

TEST_CASE("a component has the options of the command that choose it") {
  const auto text = [](const char* component, std::vector<std::string_view> options) {
    return text_of(Component{component}, [&options](std::string_view option) {
      return std::ranges::count(options, option) > 0;
    });
  };
  CHECK(text("weight_decay", {"--weight-decay"}) == "--weight-decay");
  CHECK(text("weight_decay", {"--decay"}) == "weight_decay");
  CHECK(text("total_steps", {"--steps", "--epochs"}) == "total_steps (--steps, --epochs)");
  CHECK(text("total_steps", {"--layers"}) == "total_steps");
  CHECK(text("layout", {"--layout", "--layers"}) == "layout (--layers)");
  CHECK(text_of(Component{"seed"}) == "seed");
}

}  // namespace elmo
