// What all diagrams have in common: an SVG document, frames with axes, legends.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/report/axis.h"

namespace elmo {

// In pixels.
inline constexpr double kDiagramWidth = 900;
inline constexpr double kDiagramLeft = 72;
inline constexpr double kPanelTop = 44;
inline constexpr double kPanelHeight = 220;
inline constexpr double kPanelDistance = 64;
inline constexpr double kDotRadius = 3;

/// Told apart by people who do not see all colors: Okabe and Ito 2008.
inline constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000"};
inline const char* color_of(std::size_t index) { return kColors[index % kColors.size()]; }

/// Where an axis is named, in pixels, and how.
struct AxisLabel {
  double position = 0.0;
  std::string text;
};

/// The labels of an axis' ticks.
std::vector<AxisLabel> tick_labels(const Axis& axis);

/// The document's beginning; `title` is for people who do not see it.
std::string begin_svg(const std::string& title, double height);

/// One panel's title, its grid lines and their labels, and its frame, from kDiagramLeft to `right`.
void draw_frame(std::string& svg, const std::string& title, std::span<const AxisLabel> x,
                std::span<const AxisLabel> y, double right, double top);

/// What stands in a panel without anything to draw.
void draw_nothing(std::string& svg, double right, double top);

/// A bar at `x` from `low` to `high`, both in pixels, with ends that stand out from behind a dot.
void draw_bar(std::string& svg, double x, double low, double high, const char* color);

/// What a series is drawn as.
enum class LegendMark { line, dot };

/// Line `index` of the legend right of a panel; long names are cut at their beginning.
void draw_legend(std::string& svg, std::size_t index, LegendMark mark, const std::string& name,
                 double right, double top);

/// Where panels end, so that the legend has room for these names.
double right_of_panels(std::span<const std::string> names);

}  // namespace elmo
