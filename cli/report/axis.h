// The axes of diagrams.
#pragma once

#include <string>
#include <vector>

namespace elmo {

/// The values from `low` to `high`, and where they are drawn: from `from` to `to`. On a logarithmic
/// axis all values are positive.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, double from, double to)
      : low_(low), high_(high), logarithmic_(logarithmic), from_(from), to_(to) {}

  /// Where `value` is drawn.
  double position(double value) const;

  /// The values to name: round ones, a handful.
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
