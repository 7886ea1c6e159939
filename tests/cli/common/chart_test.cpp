#include "cli/common/chart.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace elmo {
namespace {

/// An empty panel, so that all labels belong to the horizontal axis.
std::string empty_panel(const PanelsOver& over, const std::string& title = "title") {
  return panels_svg(title, std::vector<Panel>{{"loss", false, {}}}, over);
}

bool has_label(const std::string& svg, const std::string& label) {
  return svg.find('>' + label + "</text>") != std::string::npos;
}

TEST_CASE("Text is escaped for XML, and what XML cannot hold becomes visible") {
  const std::string svg = empty_panel({"steps", 0, 1}, "a<b> & \x01\xef\xbf\xbf");
  CHECK(svg.find(R"(<title>a&lt;b&gt; &amp; \x01\xef\xbf\xbf</title>)") != std::string::npos);
}

TEST_CASE("Ticks are round numbers within the axis, with groups of thousands") {
  const std::string linear = empty_panel({"steps", 0, 12000});
  for (const char* label : {"0", "2,000", "12,000"}) CHECK(has_label(linear, label));
  CHECK(!has_label(linear, "14,000"));
  const std::string logarithmic = empty_panel({"steps", 1, 10, true});
  for (const char* label : {"1", "2", "5", "10"}) CHECK(has_label(logarithmic, label));
  CHECK(!has_label(logarithmic, "4"));
}

TEST_CASE("Points without a value leave gaps, and a panel without any says so") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Panel panel{"loss", false, {{"run", {{0, 1}, {1, nan}, {2, 3}, {3, 4}}}}};
  const std::string svg = panels_svg("title", std::vector{panel}, {"steps", 0, 3});
  CHECK(svg.find("nothing yet") == std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));
  const Panel empty{"loss", true, {{"run", {{0, -1}}}}};
  CHECK(panels_svg("title", std::vector{empty}, {"steps", 0, 3}).find("nothing yet") !=
        std::string::npos);
}

TEST_CASE("Dots have a bar only if their bounds differ") {
  const auto bars = [](double low, double high) {
    const Panel panel{"score", false, {{"run", {{0, 1, Bounds{low, high}}}}}, {"a"}};
    const std::string svg = dots_svg("title", std::vector{panel});
    return svg.find("stroke=\"#0072b2\"") != std::string::npos;
  };
  CHECK(bars(0.5, 1.5));
  CHECK(!bars(1, 1));
}

}  // namespace
}  // namespace elmo
