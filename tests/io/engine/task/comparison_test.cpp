#include "io/engine/task/comparison.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("models of one setting and size form a group") {
  const auto model = [](const std::string& setting, double fraction, std::uint64_t seed) {
    TaskOutcome outcome;
    outcome.seed = seed;
    return ComparedModel{setting, fraction, 10, 2, outcome};
  };
  const std::vector<ComparedModel> models = {model("none", 1, 0), model("input", 1, 0),
                                             model("none", 0.5, 0), model("none", 1, 1)};
  const std::vector<ComparedGroup> groups = grouped(models);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].outcomes.size() == 2);
  CHECK(groups[0].outcomes[1].seed == 1);
  CHECK(groups[2].fraction == 0.5);
}

TEST_CASE("parts of the data require settings that are trained on them") {
  const TempDir folder;
  ComparisonRequest request;
  static_cast<TaskRequest&>(request) = small_task(folder);
  RunListener listener;
  SilentTaskListener sessions;
  const auto problem = [&](const std::string& setting, float fraction) {
    request.settings = {setting};
    request.fractions = {fraction};
    try {
      run_comparison(request, {listener, sessions, kNeverStop});
    } catch (const RequestError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(problem("top", 0.1F) ==
        "fractions: parts of the data are for the settings none and input; expected one of them "
        "in settings");
  CHECK(problem("none", 0.0F) == "fractions: found 0; expected parts of 1, such as 0.01,0.1,1");
  CHECK(problem("none", 1.5F).starts_with("fractions: found 1.5"));
}
