#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/chart.h"
#include "cli/task/comparison_report.h"
#include "cli/task/report.h"

namespace elmo {
namespace {

std::string score_title(TaskMetric metric) {
  return std::string(metric == TaskMetric::f1 ? "F1" : "Accuracy") + " on dev, %, mean over seeds";
}

/// Returns the curve `name`, created if there is none.
Curve& curve_of(Panel& panel, const std::string& name) {
  const auto found = std::ranges::find(panel.curves, name, &Curve::name);
  if (found != panel.curves.end()) return *found;
  return panel.curves.emplace_back(Curve{name, {}});
}

/// Returns a diagram with one panel over all x of its curves.
std::string panel_svg(const std::string& title, Panel panel, const std::string& over,
                      bool logarithmic) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (Curve& curve : panel.curves) {
    std::ranges::sort(curve.points, {}, &Point::x);
    for (const Point& point : curve.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  if (low > high) low = high = 1.0;  // no point
  if (!logarithmic) low = 0.0;
  if (low >= high) {
    low = high / 2;
    high = std::max(2 * high, 1.0);
  }
  return panels_svg(title, std::vector{std::move(panel)}, {over, low, high, logarithmic});
}

}  // namespace

std::string weights_svg(std::span<const ComparedGroup> groups) {
  DotPanel panel{
      "Weight s_j of each layer; bars: from the least to the greatest of the seeds", {}, {}};
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    for (std::size_t mix = 0; mix < group.outcomes.front().mixes.size(); ++mix) {
      const LearnedMix& first = group.outcomes.front().mixes[mix];
      for (std::size_t j = panel.series.size(); j < first.shares.size(); ++j) {
        panel.series.push_back({j == 0 ? "x" : "layer " + std::to_string(j),
                                std::vector<std::optional<Dot>>(panel.categories.size())});
      }
      panel.categories.push_back(group.setting == "both" ? "both, " + first.place : group.setting);
      for (std::size_t j = 0; j < panel.series.size(); ++j) {
        Dot dot{0.0, 1.0, 0.0};
        for (const TaskOutcome& outcome : group.outcomes) {
          const auto share = static_cast<double>(outcome.mixes[mix].shares[j]);
          dot.value += share / static_cast<double>(group.outcomes.size());
          dot.low = std::min(dot.low, share);
          dot.high = std::max(dot.high, share);
        }
        panel.series[j].dots.emplace_back(dot);
      }
    }
  }
  return dots_svg("Weights of the layers by setting", std::vector{panel});
}

std::string sizes_svg(std::span<const ComparedGroup> groups, TaskMetric metric) {
  Panel panel{score_title(metric) + "; bars: from the least to the greatest", false, {}};
  for (const ComparedGroup& group : groups) {
    const bool sized = std::ranges::any_of(groups, [&group](const ComparedGroup& other) {
      return other.setting == group.setting && other.fraction < 1.0;
    });
    if (!sized) continue;
    const auto score = [](const TaskOutcome& outcome) { return outcome.best.score; };
    const auto [least, greatest] = std::ranges::minmax_element(group.outcomes, {}, score);
    curve_of(panel, group.setting)
        .points.push_back({static_cast<double>(group.examples),
                           seed_statistics(group.outcomes).mean,
                           Bounds{score(*least), score(*greatest)}});
  }
  return panel_svg("Score against the size of the training data", std::move(panel),
                   "training examples", true);
}

std::string epochs_svg(std::span<const ComparedGroup> groups, TaskMetric metric) {
  Panel panel{score_title(metric), false, {}};
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    std::map<std::uint64_t, std::vector<double>> scores;  // by step
    for (const TaskOutcome& outcome : group.outcomes) {
      for (const TaskEvaluation& evaluation : outcome.evaluations) {
        scores[evaluation.step].push_back(evaluation.score);
      }
    }
    Curve& curve = curve_of(panel, group.setting);
    for (const auto& [step, found] : scores) {
      double sum = 0.0;
      for (const double score : found) sum += score;
      curve.points.push_back(
          {static_cast<double>(step * group.batch) / static_cast<double>(group.examples),
           sum / static_cast<double>(found.size())});
    }
  }
  return panel_svg("Score against epochs", std::move(panel), "epochs", false);
}

}  // namespace elmo
