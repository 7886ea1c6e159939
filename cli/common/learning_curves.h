// The curves of training runs, as charts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/common/chart.h"
#include "core/tasks/common/task_learner.h"
#include "io/train/metrics_log.h"

namespace elmo {

/// A run and its name in the legend.
struct PlottedRun {
  std::string name;
  MetricsRecords records;
};

/// Returns a self-contained SVG document: training loss above validation perplexity (logarithmic
/// axis), both over steps. A single run has a curve per direction, and one of the average
/// perplexity. Each of several runs has a curve of its mean loss and one of its average perplexity.
/// Long curves are thinned to a few hundred points, each the mean of neighbors. Points that are not
/// drawable leave gaps.
std::string curves_svg(std::span<const PlottedRun> runs, const PictureSize& size = {});

/// A run of a task and its name in the legend.
struct PlottedTask {
  std::string name;
  std::vector<TaskEvaluation> evaluations;
};

/// Returns an SVG document: losses above scores, both over steps, one curve per run. `score`: the
/// title of the axis of scores.
std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score,
                            const PictureSize& size = {});

}  // namespace elmo
