// What people see of the training of a task model.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cli/commands/task/train.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "core/tasks/common/task_learner.h"

namespace elmo {

/// Shows how far a session is, prints a line for each evaluation, and draws them all where that is
/// asked for.
class TaskReport final : public SessionListener<TaskLearner> {
 public:
  /// `learner`, that of the session, has to outlive it.
  TaskReport(const TaskTrainFlags& flags, std::filesystem::path folder, bool spans,
             const TaskLearner& learner);

  void stepped(const SessionProgress<TaskLearner>& progress) override;
  void evaluated(const TaskEvaluation& evaluation, const TaskStep* last) override;

  /// Takes the status away, so that other lines can be printed.
  void clear() { status_.clear(); }

 private:
  Report report_;
  StatusLine status_;
  std::filesystem::path folder_;
  bool plot_;
  const char* score_;  // what it is called
  const TaskLearner& learner_;
};

/// One run and what it is called in the legend.
struct PlottedTask {
  std::string name;
  std::span<const TaskEvaluation> evaluations;
};

/// An SVG document: losses above scores, both over steps, a curve for each run.
std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score);

/// What scores are called.
const char* score_name(bool spans);

/// Means and standard deviation over the outcomes of several seeds.
struct SeedStatistics {
  double mean = 0.0;
  double deviation = 0.0;  ///< of the sample; 0 of a single seed
};
SeedStatistics seed_statistics(std::span<const TaskOutcome> outcomes);

/// {"score", "deviation", "metric", "seeds": [{"seed", "score", "evaluation", "step", "ended_by",
/// "mixes"}]}; a run is ended by "patience", or before that by its number of "evaluations".
std::string outcomes_json(std::span<const TaskOutcome> outcomes, bool spans);

}  // namespace elmo
