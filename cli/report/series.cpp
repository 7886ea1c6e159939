#include "cli/report/series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace elmo {
namespace {

constexpr std::size_t kMaxPoints = 500;
constexpr double kMaxValue = 1e100;

std::vector<Point> thinned(const std::vector<Point>& points) {
  const std::size_t group = (points.size() + kMaxPoints - 1) / kMaxPoints;
  if (group <= 1) return points;
  std::vector<Point> means;
  for (std::size_t begin = 0; begin < points.size(); begin += group) {
    const std::size_t end = std::min(begin + group, points.size());
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) sum += points[i].y;
    means.push_back({points[end - 1].x, sum / static_cast<double>(end - begin)});
  }
  return means;
}

template <typename Record, typename Value>
Curve curve_of(std::string name, const std::vector<Record>& records, const Value& value) {
  Curve curve{std::move(name), {}};
  for (const Record& record : records) {
    curve.points.push_back({static_cast<double>(record.step), value(record)});
  }
  curve.points = thinned(curve.points);
  return curve;
}

}  // namespace

bool is_drawable(const Point& point, bool logarithmic) {
  return std::abs(point.y) <= kMaxValue && (!logarithmic || point.y >= 1 / kMaxValue);
}

std::array<Panel, 2> panels_of(std::span<const PlottedRun> runs) {
  Panel loss{"Training loss: mean −ln p of a token, sampled softmax", false, {}};
  Panel perplexity{"Validation perplexity, full softmax", true, {}};
  const auto add_loss = [&](const std::string& name, const PlottedRun& run, const auto& value) {
    loss.curves.push_back(curve_of(name, run.records.training, value));
  };
  const auto add_perplexity = [&](const std::string& name, const PlottedRun& run,
                                  const auto& value) {
    perplexity.curves.push_back(curve_of(name, run.records.validation, value));
  };
  const auto average = [](const ValidationRecord& record) { return record.average; };
  if (runs.size() == 1) {
    const PlottedRun& run = runs.front();
    add_loss("forward", run, [](const TrainingRecord& record) { return record.loss_forward; });
    add_loss("backward", run, [](const TrainingRecord& record) { return record.loss_backward; });
    add_perplexity("forward", run, [](const ValidationRecord& record) { return record.forward; });
    add_perplexity("backward", run, [](const ValidationRecord& record) { return record.backward; });
    add_perplexity("average", run, average);
  } else {
    for (const PlottedRun& run : runs) {
      add_loss(run.name, run, [](const TrainingRecord& record) {
        return (record.loss_forward + record.loss_backward) / 2;
      });
      add_perplexity(run.name, run, average);
    }
  }
  return {loss, perplexity};
}

std::optional<Axis> value_axis(const Panel& panel, double bottom, double top) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      if (!is_drawable(point, panel.logarithmic)) continue;
      low = std::min(low, point.bounds ? point.bounds->low : point.y);
      high = std::max(high, point.bounds ? point.bounds->high : point.y);
    }
  }
  if (low > high) return std::nullopt;
  if (panel.logarithmic) {
    const double margin = std::max(std::pow(high / low, 0.05), 1.02);
    low /= margin;
    high *= margin;
  } else {
    const double margin = std::max((high - low) * 0.05, std::max(std::abs(high), 1.0) * 0.01);
    low -= margin;
    high += margin;
  }
  return Axis(low, high, panel.logarithmic, bottom, top);
}

}  // namespace elmo
