#include "cli/common/rules.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

TEST_CASE("a rule fails for a given option whose condition does not hold") {
  const std::vector<FlagRule> rules{{"--gamma", false, "--layers mix"}};
  CHECK_NOTHROW(check_rules({"--layers"}, rules));
  CHECK_NOTHROW(check_rules({"--gamma"}, {{"--gamma", true, "--layers mix"}}));
  CHECK_THROWS_WITH_AS(check_rules({"--gamma"}, rules),
                       "--gamma makes sense only with --layers mix", RequestError);
}

TEST_CASE("options of jsonl are refused with other formats") {
  InputOptions input;
  input.format = InputFormat::tokens;
  CHECK_THROWS_AS(check_input_flags({"--text-field"}, input), RequestError);
  input.format = InputFormat::jsonl;
  CHECK_NOTHROW(check_input_flags({"--text-field", "--lines"}, input));
}

}  // namespace
}  // namespace elmo
