#include <doctest/doctest.h>

#include <array>

#include "cli/common/learning_curves.h"
#include "cli/task/report.h"

using namespace elmo;

TEST_CASE("pictures without data say so") {
  const std::array<Panel, 1> dots = {Panel{"dots", false, {}}};
  const std::array<Panel, 1> panels = {Panel{"curves", true, {{"curve", {}}}}};
  for (const std::string& svg :
       {weights_svg({}), sizes_svg({}, kF1Metric), epochs_svg({}, kF1Metric),
        task_curves_svg({}, "F1"), dots_svg("nothing", dots),
        panels_svg("nothing", panels, {"x", 0, 1})}) {
    CHECK_MESSAGE(svg.find("nothing yet") != std::string::npos, svg);
    CHECK_MESSAGE(svg.find("nan") == std::string::npos, svg);
    CHECK_MESSAGE(svg.find("inf") == std::string::npos, svg);
  }
}

TEST_CASE("a single point of a size has an axis around it") {
  TaskOutcome outcome;
  outcome.best.score = 50;
  const std::array<ComparedGroup, 1> groups = {ComparedGroup{"none", 0.5, 1, 16, {outcome}}};
  const std::string svg = sizes_svg(groups, kF1Metric);
  CHECK_MESSAGE(svg.find("class=\"mark\"") != std::string::npos, svg);
}
