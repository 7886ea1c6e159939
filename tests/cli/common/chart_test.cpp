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

TEST_CASE("XML text is escaped, and characters that XML cannot hold become visible") {
  const std::string svg = empty_panel({"steps", 0, 1}, "a<b> & \x01\xef\xbf\xbf");
  CHECK(svg.find(R"(<title>a&lt;b&gt; &amp; \x01\xef\xbf\xbf</title>)") != std::string::npos);
}

TEST_CASE("ticks are round numbers within the axis, with groups of thousands") {
  const std::string linear = empty_panel({"steps", 0, 12000});
  for (const char* label : {"0", "2,000", "12,000"}) CHECK(has_label(linear, label));
  CHECK(!has_label(linear, "14,000"));
  const std::string logarithmic = empty_panel({"steps", 1, 10, true});
  for (const char* label : {"1", "2", "5", "10"}) CHECK(has_label(logarithmic, label));
  CHECK(!has_label(logarithmic, "4"));
}

TEST_CASE("points without a value leave gaps, and a panel without values says so") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Panel panel{"loss", false, {{"run", {{0, 1}, {1, nan}, {2, 3}, {3, 4}}}}};
  const std::string svg = panels_svg("title", std::vector{panel}, {"steps", 0, 3});
  CHECK(svg.find("nothing yet") == std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));
  const Panel empty{"loss", true, {{"run", {{0, -1}}}}};
  CHECK(panels_svg("title", std::vector{empty}, {"steps", 0, 3}).find("nothing yet") !=
        std::string::npos);
}

/// Returns how often `word` occurs in `text`.
std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++found;
  }
  return found;
}

TEST_CASE("a series has one mark, dash and line of the legend in all panels") {
  const std::vector<Panel> panels = {{"loss", false, {{"a", {{0, 1}}}, {"b", {{0, 2}}}}},
                                     {"score", false, {{"b", {{0, 1}}}, {"c", {{0, 2}}}}}};
  const std::string svg = panels_svg("title", panels, {"steps", 0, 1});
  for (const char* name : {"a", "b", "c"}) CHECK(count(svg, std::string(">") + name + "<") == 1);
  CHECK(count(svg, "fill=\"#0072b2\"") == 2);  // one point, and the legend
  CHECK(count(svg, "fill=\"#d55e00\"") == 3);
  CHECK(count(svg, "stroke-dasharray=\"5 2\"") == 3);
  CHECK(svg.find(">loss</text>") != std::string::npos);
}

TEST_CASE("labels have subscripts and leave room at the ends of an axis") {
  const Panel panel{"Weight s_j", false, {{"run", {{0, 1, Bounds{0.5, 1.5}}}}}};
  const std::string svg = panels_svg("title", std::vector{panel}, {"steps", 0, 1});
  CHECK(svg.find("Weight s<tspan dy=\"0.3em\" font-size=\"70%\">j</tspan>") != std::string::npos);
  const auto begin = [&svg](const std::string& path) {
    return std::stod(svg.substr(svg.rfind(path) + path.size()));
  };
  CHECK(begin("<path d=\"M") > begin("<path class=\"frame\" d=\"M"));  // the bar, the frame
}

TEST_CASE("width and font size are in print units, and long categories are turned") {
  const Panel panel{"score", false, {{"run", {{0, 1}, {1, 2}}}}, {"a rather long name", "another"}};
  const std::string wide = dots_svg("title", std::vector{panel});
  CHECK(wide.find("width=\"160.0mm\"") != std::string::npos);
  CHECK(wide.find("font: 9px") != std::string::npos);
  CHECK(wide.find("rotate(-35") == std::string::npos);
  const std::string narrow = dots_svg("title", std::vector{panel}, {60, 12});
  CHECK(narrow.find("width=\"60.0mm\"") != std::string::npos);
  CHECK(narrow.find("font: 12px") != std::string::npos);
  CHECK(narrow.find("rotate(-35") != std::string::npos);
}

TEST_CASE("dots have a bar only if their bounds differ") {
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
