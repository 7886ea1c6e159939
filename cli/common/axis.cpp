#include "cli/common/axis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/text.h"

namespace elmo {
namespace {

constexpr double kMaxValue = 1e100;

/// Returns the largest number of the form 1, 2 or 5 times a power of ten that is at most `most`.
double round_step(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

std::vector<double> linear_ticks(double low, double high) {
  const double step = round_step((high - low) / 3);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step); i * step <= high + step * 1e-9; ++i) {
    ticks.push_back(i * step + 0.0);  // turns -0 into 0
  }
  return ticks;
}

/// Returns 1, 2 and 5 times powers of ten, or the ticks of a linear axis if these are too few.
std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  const bool decades_only = high / low > 1e4;
  for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (decades_only && factor > 1.0) continue;
      const double tick = factor * power;
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks.size() >= 3 ? ticks : linear_ticks(low, high);
}

/// "12,000", "0.25"
std::string tick_label(double value) {
  if (value != 0 && (std::abs(value) >= 1e9 || std::abs(value) < 1e-4))
    return formatted("%g", value);
  std::string text = formatted("%.10g", value);
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t end = whole; end > 3 + (text[0] == '-' ? 1U : 0U); end -= 3) {
    text.insert(end - 3, 1, ',');
  }
  return text;
}

}  // namespace

double Axis::position(double value) const {
  const double share = logarithmic_
                           ? (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_))
                           : (value - low_) / (high_ - low_);
  return from_ + share * (to_ - from_);
}

std::vector<AxisLabel> Axis::labels() const {
  std::vector<AxisLabel> labels;
  for (const double tick :
       logarithmic_ ? logarithmic_ticks(low_, high_) : linear_ticks(low_, high_)) {
    labels.push_back({position(tick), tick_label(tick)});
  }
  return labels;
}

bool is_drawable(const Point& point, bool logarithmic) {
  return std::abs(point.y) <= kMaxValue && (!logarithmic || point.y >= 1 / kMaxValue);
}

std::optional<Axis> value_axis(std::span<const Curve> curves, bool logarithmic, double bottom,
                               double top) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : curves) {
    for (const Point& point : curve.points) {
      if (!is_drawable(point, logarithmic)) continue;
      const Bounds bounds = point.bounds.value_or(Bounds{point.y, point.y});
      low = std::min({low, point.y, bounds.low});
      high = std::max({high, point.y, bounds.high});
    }
  }
  if (low > high) return std::nullopt;
  if (logarithmic) {
    const double margin = std::max(std::pow(high / low, 0.05), 1.02);
    low /= margin;
    high *= margin;
  } else {
    const double margin = std::max((high - low) * 0.05, std::max(std::abs(high), 1.0) * 0.01);
    low -= margin;
    high += margin;
  }
  return Axis(low, high, logarithmic, bottom, top);
}

}  // namespace elmo
