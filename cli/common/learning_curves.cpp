#include "cli/common/learning_curves.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace elmo {
namespace {

constexpr std::size_t kMaxPoints = 500;

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

/// Returns a member of each record, over its step.
template <typename Record, typename Value>
Curve curve_of(std::string name, const std::vector<Record>& records, const Value& value) {
  Curve curve{std::move(name), {}};
  for (const Record& record : records) {
    curve.points.push_back({static_cast<double>(record.step), std::invoke(value, record)});
  }
  return curve;
}

/// Returns a document of panels whose curves are over steps.
std::string steps_svg(const std::string& title, const std::vector<Panel>& panels,
                      const PictureSize& size) {
  double last_step = 1;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      if (!curve.points.empty()) last_step = std::max(last_step, curve.points.back().x);
    }
  }
  return panels_svg(title, panels, PanelsOver{"Steps", 0, last_step}, size);
}

}  // namespace

std::string curves_svg(std::span<const PlottedRun> runs, const PictureSize& size) {
  Panel loss{"Training loss of a token", false, {}};
  Panel perplexity{"Validation perplexity", true, {}};
  for (const auto& [name, records] : runs) {
    const auto& [training, validation] = records;
    if (runs.size() == 1) {
      loss.curves = {curve_of("forward", training, &TrainingRecord::loss_forward),
                     curve_of("backward", training, &TrainingRecord::loss_backward)};
      perplexity.curves = {curve_of("forward", validation, &ValidationRecord::forward),
                           curve_of("backward", validation, &ValidationRecord::backward),
                           curve_of("average", validation, &ValidationRecord::average)};
    } else {
      loss.curves.push_back(curve_of(name, training, [](const TrainingRecord& record) {
        return (record.loss_forward + record.loss_backward) / 2;
      }));
      perplexity.curves.push_back(curve_of(name, validation, &ValidationRecord::average));
    }
  }
  for (Panel* panel : {&loss, &perplexity}) {
    for (Curve& curve : panel->curves) curve.points = thinned(curve.points);
  }
  return steps_svg(
      "Training loss (mean −ln p of a token, sampled softmax) and validation perplexity (full "
      "softmax) over steps",
      {loss, perplexity}, size);
}

std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score,
                            const PictureSize& size) {
  Panel losses{"Training loss", false, {}};
  Panel scores{score, false, {}};
  for (const auto& [name, evaluations] : runs) {
    losses.curves.push_back(curve_of(name, evaluations, &TaskEvaluation::loss));
    scores.curves.push_back(curve_of(name, evaluations, &TaskEvaluation::score));
  }
  return steps_svg("Training loss (mean between evaluations) and score over steps",
                   {losses, scores}, size);
}

}  // namespace elmo
