// Messages as commands word them.
#include "cli/common/reporter.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace elmo {

TEST_CASE("the option of a setting has its name, with two exceptions") {
  CHECK(option_of(Setting::mix) == "--mix");
  CHECK(option_of(Setting::skip_bad_records) == "--skip-bad-records");
  CHECK(option_of(Setting::output) == "-o");
  CHECK(option_of(Setting::job_array) == "--array");
}

TEST_CASE(
    "a message names settings as options, and gives advice only with options of the command") {
  const Message message = "found " + Setting::learning_rate + Message(Remedy::resume_or_replace);
  CHECK(text_of(message) ==
        "found --learning-rate; continue it with --resume, or replace it with --overwrite");
  const auto has = [](std::string_view option) { return option != "--overwrite"; };
  CHECK(text_of(message, has) == "found --learning-rate");
}

}  // namespace elmo
