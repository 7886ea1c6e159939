// Reports of the training, the dry runs, the evaluation and the comparison of task models.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "cli/common/reporter.h"
#include "cli/task/request.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_learner.h"
#include "io/engine/task/evaluation.h"
#include "io/engine/task/train.h"

namespace elmo {

std::string dry_task_text(const DryTaskTraining& found);

/// A JSON object with the members of `found`.
std::string dry_task_json(const DryTaskTraining& found);

/// Shows the progress of a run, prints a line for each evaluation and, if requested, plots the
/// evaluations in the folder of the model.
class TaskReport final : public RunReport, public TaskListener {
 public:
  TaskReport(const TaskFlags& flags, std::filesystem::path folder)
      : RunReport(flags.quiet), run_folder_(std::move(folder)), plot_(flags.plot) {}

  void model_begins(const std::filesystem::path& folder, const TaskMetric& metric) override;
  void stepped(const SessionProgress<TaskLearner>& progress) override;
  void evaluated(const TaskEvaluation& evaluation, const TaskStep* last) override;

  /// Prints where the model of a completed run is. Plots the evaluations of several seeds.
  void ended(const TaskResult& result);

 private:
  std::filesystem::path run_folder_;
  bool plot_;
  std::filesystem::path folder_;  // folder of the model that is being trained
  TaskMetric metric_;             // of this model
};

/// "57.50", in the format of the metric.
std::string score_number(const TaskMetric& metric, double score);

/// The title of an axis: "F1 on dev, %".
std::string score_axis(const TaskMetric& metric);

/// Means and standard deviation over several seeds.
struct SeedStatistics {
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation of the sample; 0 for a single seed
};

/// Returns the statistics of the best scores on the development data.
SeedStatistics seed_statistics(std::span<const TaskOutcome> outcomes);

/// "F1 on dev 57.50 ± 0.32 over 3 seeds", and a line for the test data, if any.
std::string outcomes_text(std::span<const TaskOutcome> outcomes, const TaskMetric& metric);

/// {"score", "deviation", "metric", "seeds": [{"seed", "score", "evaluation", "step", "ended_by",
/// "mixes"}]}; "ended_by" is "patience", or "evaluations" if their maximum came first. With test
/// data, also "test" and "test_deviation", and "test" of each seed.
std::string outcomes_json(std::span<const TaskOutcome> outcomes, const TaskMetric& metric);

/// A JSON object: "kind", "examples" and the figures by name.
std::string scores_json(const TaskEvaluationResult& result);

/// Returns nested figures as rows of a table and the other figures in a line, then the most
/// frequent confusions.
std::string scores_text(const TaskEvaluationResult& result);

/// A line for each wrong label: file, line, the frame's predicate (if any), token or texts, the
/// expected label and the predicted label.
std::string differences_text(const WrongLabels& wrong);

/// SVG documents: the weights s_j of each setting that learned them from all training data (as
/// figure 2 of the paper), the score by size of the training data (figure 1), and the score by
/// epoch, a mean over seeds.
std::string weights_svg(std::span<const ComparedGroup> groups, const PictureSize& size = {});
std::string sizes_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                      const PictureSize& size = {});
std::string epochs_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                       const PictureSize& size = {});

/// Writes the tables and the pictures into the folder of the comparison and returns what to print,
/// the table or JSON. SystemError if a file cannot be written.
std::string publish_comparison(const std::filesystem::path& folder, const ComparisonResult& result,
                               bool json, const PictureSize& size);

}  // namespace elmo
