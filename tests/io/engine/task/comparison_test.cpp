#include "io/engine/task/comparison.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace elmo;

namespace {

ComparisonRequest request_of(const std::vector<std::string>& settings) {
  ComparisonRequest request;
  request.settings = settings;
  return request;
}

}  // namespace

TEST_CASE("Models of one setting and size form a group") {
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

TEST_CASE("Parts of the data are for settings that are trained on them") {
  ComparisonRequest request = request_of({"input"});
  request.fractions = {0.1F, 1.0F};
  CHECK_NOTHROW(validate(request));
  request.settings = {"top"};
  CHECK_THROWS_AS(validate(request), RequestError);
  request.settings = {"none"};
  request.fractions = {0.0F};
  CHECK_THROWS_AS(validate(request), RequestError);
  request.fractions = {1.5F};
  CHECK_THROWS_AS(validate(request), RequestError);
}

TEST_CASE("Options that no compared setting uses are refused") {
  ComparisonRequest request = request_of({"none", "top"});
  request.given = {"--elmo-dropout"};
  CHECK_NOTHROW(validate(request));
  request.given = {"--lambda"};
  CHECK_THROWS_AS(validate(request), RequestError);
  request.settings = {"none"};
  request.given = {"--layer-norm"};
  CHECK_THROWS_AS(validate(request), RequestError);
}
