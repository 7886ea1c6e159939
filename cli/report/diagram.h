// Parts of all diagrams: the SVG document, frames with axes, legends.
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

/// Colors that color-blind people can distinguish (Okabe and Ito 2008).
inline constexpr std::array kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000"};
inline const char* color_of(std::size_t index) { return kColors[index % kColors.size()]; }

/// A label of an axis and its position in pixels.
struct AxisLabel {
  double position = 0.0;
  std::string text;
};

/// Returns the labels of an axis's ticks.
std::vector<AxisLabel> tick_labels(const Axis& axis);

/// Returns the beginning of the document. `title` is for screen readers.
std::string begin_svg(const std::string& title, double height);

/// Draws the title of a panel, its grid lines with labels, and its frame from kDiagramLeft to
/// `right`.
void draw_frame(std::string& svg, const std::string& title, std::span<const AxisLabel> x,
                std::span<const AxisLabel> y, double right, double top);

/// Draws the content of a panel without data.
void draw_nothing(std::string& svg, double right, double top);

/// Draws an error bar at `x` from `low` to `high`, in pixels. Its ends are wider than a dot.
void draw_bar(std::string& svg, double x, double low, double high, const char* color);

/// How a series is drawn.
enum class LegendMark { line, dot };

/// Draws line `index` of the legend to the right of a panel. Long names are cut at the beginning.
void draw_legend(std::string& svg, std::size_t index, LegendMark mark, const std::string& name,
                 double right, double top);

/// Returns the right edge of panels that leaves room for a legend with these names.
double right_of_panels(std::span<const std::string> names);

}  // namespace elmo
