#include "cli/report/panels.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/numbers/human.h"
#include "cli/report/axis.h"
#include "cli/report/diagram.h"
#include "cli/report/xml_text.h"

namespace elmo {
namespace {

constexpr double kPanelFoot = 56;  // in pixels
constexpr std::size_t kMaxMarkers = 60;

void draw_curve(std::string& svg, const Curve& curve, const char* color, const Axis& x,
                const Axis& y, bool logarithmic) {
  std::string path;
  std::string markers;
  bool pen_down = false;
  for (const Point& point : curve.points) {
    if (!is_drawable(point, logarithmic)) {
      pen_down = false;
      continue;
    }
    path +=
        formatted("%c%.1f %.1f", pen_down ? 'L' : 'M', x.position(point.x), y.position(point.y));
    pen_down = true;
    if (point.bounds && point.bounds->low < point.bounds->high) {
      draw_bar(markers, x.position(point.x), y.position(point.bounds->low),
               y.position(point.bounds->high), color);
    }
    if (curve.points.size() <= kMaxMarkers) {
      markers += formatted(R"(<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>)"
                           "\n",
                           x.position(point.x), y.position(point.y), color);
    }
  }
  svg += R"(<path d=")" + path + R"(" stroke=")" + color + "\"/>\n" + markers;
}

void draw_panel(std::string& svg, const Panel& panel, const Axis& x, double right, double top) {
  const std::optional<Axis> y = value_axis(panel, top + kPanelHeight, top);
  draw_frame(svg, panel.title, tick_labels(x), y ? tick_labels(*y) : std::vector<AxisLabel>{},
             right, top);
  if (!y) {
    draw_nothing(svg, right, top);
    return;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    draw_curve(svg, panel.curves[i], color_of(i), x, *y, panel.logarithmic);
    draw_legend(svg, i, LegendMark::line, panel.curves[i].name, right, top);
  }
}

}  // namespace

std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over) {
  std::vector<std::string> names;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) names.push_back(curve.name);
  }
  const double right = right_of_panels(names);
  const Axis x(over.low, over.high, over.logarithmic, kDiagramLeft, right);
  const double height = kPanelTop + static_cast<double>(panels.size()) * kPanelHeight +
                        static_cast<double>(panels.size() - 1) * kPanelDistance + kPanelFoot;
  std::string svg = begin_svg(title, height);
  double top = kPanelTop;
  for (const Panel& panel : panels) {
    draw_panel(svg, panel, x, right, top);
    top += kPanelHeight + kPanelDistance;
  }
  svg += formatted(R"(<text x="%.1f" y="%.1f" text-anchor="middle">)", (kDiagramLeft + right) / 2,
                   height - 18) +
         xml_text(over.name) + "</text>\n";
  return svg + "</svg>\n";
}

}  // namespace elmo
