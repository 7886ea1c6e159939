// The curves of training runs as points, before they are drawn.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/axis.h"
#include "io/train/metrics_log.h"

namespace elmo {

/// A run and what it is called in the legend.
struct PlottedRun {
  std::string name;
  MetricsRecords records;
};

/// The least and the greatest of what a point is the mean of.
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

/// Curves that share their axes.
struct Panel {
  std::string title;
  bool logarithmic = false;
  std::vector<Curve> curves;
};

/// Whether a point has a place in a panel: it is finite, no larger than 10^100, so that the ends of
/// an axis are finite, and where the axis is logarithmic no smaller than 10^-100.
bool is_drawable(const Point& point, bool logarithmic);

/// Training loss and validation perplexity of runs, over steps: of one run a curve for each
/// direction, and for the average of their perplexities; of several runs, the mean loss and the
/// average perplexity of each. Long curves are thinned to a few hundred points, means of
/// neighbors.
std::array<Panel, 2> panels_of(std::span<const PlottedRun> runs);

/// The axis of a panel's values, a little longer than they are, from `bottom` to `top`; nothing
/// where there are none.
std::optional<Axis> value_axis(const Panel& panel, double bottom, double top);

}  // namespace elmo
