// Charts as SVG documents: stacked panels of curves, dots with error bars, and the curves of
// training runs. Begins with their parts: text, axes and frames.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "io/train/metrics_log.h"

namespace elmo {

/// Escapes `text`, which is UTF-8, as the content of an element. XML cannot hold control
/// characters, U+FFFE and U+FFFF: each of their bytes becomes `\xHH`, as escaped_name() writes
/// invalid UTF-8.
std::string xml_text(std::string_view text);

/// Maps values from `low` to `high` to positions from `from` to `to`. On a logarithmic axis all
/// values must be positive.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : low_(low), high_(high), logarithmic_(logarithmic), from_(from), to_(to) {}

  /// Returns the position of `value`.
  double position(double value) const;

  /// Returns the values to label: a handful of round numbers.
  std::vector<double> ticks() const;

 private:
  double low_;
  double high_;
  bool logarithmic_;
  double from_;
  double to_;
};

/// "12,000", "0.25"
std::string tick_label(double value);

/// A run and its name in the legend.
struct PlottedRun {
  std::string name;
  MetricsRecords records;
};

/// The smallest and the largest of the values whose mean is a point.
struct Bounds {
  double low = 0;
  double high = 0;
};

struct Point {
  double x = 0;
  double y = 0;
  std::optional<Bounds> bounds = std::nullopt;  ///< drawn as a bar
};

struct Curve {
  std::string name;
  std::vector<Point> points;
};

/// Curves with the same axes.
struct Panel {
  std::string title;
  bool logarithmic = false;
  std::vector<Curve> curves;
};

/// Returns whether a point can be drawn. Its value must be finite and at most 10^100, so that the
/// ends of the axis are finite, and at least 10^-100 on a logarithmic axis.
bool is_drawable(const Point& point, bool logarithmic);

/// Training loss and validation perplexity of runs, over steps. A single run has a curve per
/// direction, and one of the average perplexity. Each of several runs has a curve of its mean loss
/// and one of its average perplexity. Long curves are thinned to a few hundred points, each the
/// mean of neighbors.
std::array<Panel, 2> panels_of(std::span<const PlottedRun> runs);

/// The axis of a panel's values, from `bottom` to `top` and with a small margin. Nothing if there
/// are no values.
std::optional<Axis> value_axis(const Panel& panel, double bottom, double top);

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

/// A value with its lower and upper bound, all finite. Equal bounds are not drawn.
struct Dot {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct DotSeries {
  std::string name;
  std::vector<std::optional<Dot>> dots;  ///< [categories]
};

/// Series with the same categories and axes.
struct DotPanel {
  std::string title;
  std::vector<std::string> categories;
  std::vector<DotSeries> series;
};

/// Returns a self-contained SVG document. `title` is for screen readers.
std::string dots_svg(const std::string& title, std::span<const DotPanel> panels);

/// The horizontal axis of all panels.
struct PanelsOver {
  std::string name;  ///< below the last panel
  double low = 0.0;
  double high = 1.0;         ///< more than `low`
  bool logarithmic = false;  ///< then `low` is positive
};

/// Returns a self-contained SVG document. `title` is for screen readers. Points that are not
/// drawable leave gaps.
std::string panels_svg(const std::string& title, std::span<const Panel> panels,
                       const PanelsOver& over);

/// Returns a self-contained SVG document: training loss above validation perplexity (logarithmic
/// axis), both over steps; see panels_of(). Points that are not drawable leave gaps.
std::string curves_svg(std::span<const PlottedRun> runs);

/// A run of a task and its name in the legend.
struct PlottedTask {
  std::string name;
  std::span<const TaskEvaluation> evaluations;
};

/// Returns an SVG document: losses above scores, both over steps, one curve per run.
std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score);

}  // namespace elmo
