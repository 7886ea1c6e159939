// The curves of training runs as points to draw.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/axis.h"
#include "io/train/metrics_log.h"

namespace elmo {

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

}  // namespace elmo
