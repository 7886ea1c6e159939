// The axes of charts, and the curves that are drawn over them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace elmo {

/// The smallest and largest of the values that a point averages.
struct Bounds {
  double low = 0;
  double high = 0;
};

struct Point {
  double x = 0;
  double y = 0;
  std::optional<Bounds> bounds = std::nullopt;  ///< drawn as a bar unless equal
};

struct Curve {
  std::string name;
  std::vector<Point> points;
};

/// Returns whether a point can be drawn. Its value must be finite and at most 10^100, so that the
/// ends of the axis are finite, and at least 10^-100 on a logarithmic axis.
bool is_drawable(const Point& point, bool logarithmic);

/// A label of an axis and its position in points.
struct AxisLabel {
  double position = 0.0;
  std::string text;
};

/// Maps values from `low` to `high` to positions from `from` to `to`, in points. On a logarithmic
/// axis all values must be positive.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : low_(low), high_(high), logarithmic_(logarithmic), from_(from), to_(to) {}

  /// Returns the position of `value`.
  double position(double value) const;

  /// Returns the labels: a handful of round numbers, such as "12,000" and "0.25".
  std::vector<AxisLabel> labels() const;

 private:
  double low_;
  double high_;
  bool logarithmic_;
  double from_;
  double to_;
};

/// Returns the axis of the curves' values, from `bottom` to `top` and with a small margin; nothing
/// if no point can be drawn.
std::optional<Axis> value_axis(std::span<const Curve> curves, bool logarithmic, double bottom,
                               double top);

}  // namespace elmo
