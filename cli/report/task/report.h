// What people see of the training of a task model.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cli/commands/task/train.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "core/tasks/common/task_session.h"

namespace elmo {

/// Shows how far a session is, prints a line for each evaluation, keeps the evaluations in the
/// folder's progress.jsonl and draws them where that is asked for.
class TaskReport final : public TaskListener {
 public:
  /// `clock` has to outlive it.
  TaskReport(const TaskTrainFlags& flags, std::filesystem::path folder, bool spans, Clock& clock);

  void stepped(const TaskStep& step, const TaskState& state, std::uint64_t last_step) override;
  void evaluated(const TaskEvaluation& evaluation, const TaskState& state) override;

  /// Takes the status away, so that other lines can be printed.
  void clear() { status_.clear(); }

 private:
  Report report_;
  StatusLine status_;
  std::filesystem::path folder_;
  bool plot_;
  const char* score_;  // what it is called
  Clock& clock_;
  std::uint64_t first_tokens_ = 0;
  bool started_ = false;
  double began_ = 0.0;
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

/// {"score", "deviation", "metric", "seeds": [{"seed", "score", "evaluation", "step", "mixes"}]}
std::string outcomes_json(std::span<const TaskOutcome> outcomes, bool spans);

}  // namespace elmo
