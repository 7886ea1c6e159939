// Axes of diagrams.
#pragma once

#include <string>
#include <vector>

namespace elmo {

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

}  // namespace elmo
