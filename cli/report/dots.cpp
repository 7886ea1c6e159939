#include "cli/report/dots.h"

#include <algorithm>
#include <cstddef>

#include "cli/numbers/human.h"
#include "cli/report/axis.h"
#include "cli/report/diagram.h"
#include "cli/report/series.h"

namespace elmo {
namespace {

constexpr double kDotsFoot = 36;      // in pixels
constexpr double kSeriesShare = 0.5;  // of a category's width

/// The axis of all values with their bounds.
std::optional<Axis> axis_of(const DotPanel& panel, double top) {
  Panel points;
  Curve& curve = points.curves.emplace_back();
  for (const DotSeries& series : panel.series) {
    for (const std::optional<Dot>& dot : series.dots) {
      if (!dot) continue;
      for (const double value : {dot->value, dot->low, dot->high}) {
        curve.points.push_back({0.0, value});
      }
    }
  }
  return value_axis(points, top + kPanelHeight, top);
}

void draw_dot(std::string& svg, const Dot& dot, double x, const Axis& y, const char* color) {
  if (dot.low < dot.high) {
    draw_bar(svg, x, y.position(dot.low), y.position(dot.high), color);
  }
  svg += formatted(R"(<circle cx="%.1f" cy="%.1f" r="%.0f" fill="%s"><title>%s</title></circle>)"
                   "\n",
                   x, y.position(dot.value), kDotRadius, color, human_number(dot.value, 5).c_str());
}

void draw_panel(std::string& svg, const DotPanel& panel, double right, double top) {
  const double width = (right - kDiagramLeft) /
                       static_cast<double>(std::max<std::size_t>(1, panel.categories.size()));
  std::vector<AxisLabel> x;
  for (std::size_t i = 0; i < panel.categories.size(); ++i) {
    x.push_back({kDiagramLeft + (static_cast<double>(i) + 0.5) * width, panel.categories[i]});
  }
  const std::optional<Axis> y = axis_of(panel, top);
  draw_frame(svg, panel.title, x, y ? tick_labels(*y) : std::vector<AxisLabel>{}, right, top);
  if (!y) {
    draw_nothing(svg, right, top);
    return;
  }
  const double step = kSeriesShare * width / static_cast<double>(panel.series.size());
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const double shift =
        (static_cast<double>(s) - static_cast<double>(panel.series.size() - 1) / 2) * step;
    for (std::size_t i = 0; i < panel.categories.size(); ++i) {
      const std::optional<Dot>& dot = panel.series[s].dots[i];
      if (dot && is_drawable({0.0, dot->value}, false))
        draw_dot(svg, *dot, x[i].position + shift, *y, color_of(s));
    }
    draw_legend(svg, s, LegendMark::dot, panel.series[s].name, right, top);
  }
}

}  // namespace

std::string dots_svg(const std::string& title, std::span<const DotPanel> panels) {
  std::vector<std::string> names;
  for (const DotPanel& panel : panels) {
    for (const DotSeries& series : panel.series) names.push_back(series.name);
  }
  const double right = right_of_panels(names);
  const double height = kPanelTop + static_cast<double>(panels.size()) * kPanelHeight +
                        static_cast<double>(panels.size() - 1) * kPanelDistance + kDotsFoot;
  std::string svg = begin_svg(title, height);
  double top = kPanelTop;
  for (const DotPanel& panel : panels) {
    draw_panel(svg, panel, right, top);
    top += kPanelHeight + kPanelDistance;
  }
  return svg + "</svg>\n";
}

}  // namespace elmo
