#include "cli/report/task/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/human.h"
#include "cli/report/json.h"
#include "cli/report/panels.h"
#include "io/files/atomic_file.h"
#include "io/labelled/task/task_folder.h"

namespace elmo {

const char* score_name(bool spans) { return spans ? "F1" : "accuracy"; }

std::string task_curves_svg(std::span<const PlottedTask> runs, const std::string& score) {
  Panel losses{"Training loss: mean over the steps between evaluations", false, {}};
  Panel scores{"Score on the development data: " + score + ", percent", false, {}};
  double last_step = 1.0;
  for (const PlottedTask& run : runs) {
    losses.curves.push_back({run.name, {}});
    scores.curves.push_back({run.name, {}});
    for (const TaskEvaluation& evaluation : run.evaluations) {
      const auto step = static_cast<double>(evaluation.step);
      losses.curves.back().points.push_back({step, evaluation.loss});
      scores.curves.back().points.push_back({step, evaluation.score});
      last_step = std::max(last_step, step);
    }
  }
  return panels_svg("Training loss and score over steps", std::array{losses, scores},
                    {"steps", 0, last_step});
}

TaskReport::TaskReport(const TaskTrainFlags& flags, std::filesystem::path folder, bool spans,
                       const TaskLearner& learner)
    : report_(flags.features.quiet),
      status_(flags.features.quiet),
      folder_(std::move(folder)),
      plot_(flags.plot),
      score_(score_name(spans)),
      learner_(learner) {}

void TaskReport::stepped(const SessionProgress<TaskLearner>& progress) {
  if (!status_.due()) return;
  std::string text = "step " + human_count(progress.step) + " of at most " +
                     human_count(progress.last_step) + ", " +
                     human_count(static_cast<std::uint64_t>(progress.tokens_per_second)) +
                     " tokens/s, loss " + human_number(progress.last.loss, 4);
  if (progress.evaluation) {
    text += ", " + std::string(score_) + " " + human_number(progress.evaluation->score, 4);
  }
  status_.show(text);
}

void TaskReport::evaluated(const TaskEvaluation& evaluation, const TaskStep* /*last*/) {
  status_.clear();
  if (plot_) {
    const PlottedTask run{folder_.string(), learner_.evaluations()};
    replace_file(folder_ / kCurvesFile, task_curves_svg(std::span(&run, 1), score_));
  }
  report_.line("step " + human_count(evaluation.step) + ": loss " +
               human_number(evaluation.loss, 4) + ", " + score_ + " on dev " +
               formatted("%.2f", evaluation.score) + (evaluation.best ? ", the best so far" : "") +
               "; rate " + human_number(evaluation.rate, 3));
}

SeedStatistics seed_statistics(std::span<const TaskOutcome> outcomes) {
  const auto count = static_cast<double>(outcomes.size());
  SeedStatistics statistics;
  for (const TaskOutcome& outcome : outcomes) statistics.mean += outcome.best.score / count;
  double squares = 0.0;
  for (const TaskOutcome& outcome : outcomes) {
    squares += std::pow(outcome.best.score - statistics.mean, 2);
  }
  if (outcomes.size() > 1) statistics.deviation = std::sqrt(squares / (count - 1.0));
  return statistics;
}

std::string outcomes_json(std::span<const TaskOutcome> outcomes, bool spans) {
  Json seeds = Json::array();
  for (const TaskOutcome& outcome : outcomes) {
    Json mixes = Json::object();
    for (const LearnedMix& mix : outcome.mixes) {
      mixes[mix.place] = {{"shares", mix.shares}, {"gamma", mix.gamma}};
    }
    seeds.push_back({{"seed", outcome.seed},
                     {"score", outcome.best.score},
                     {"evaluation", outcome.best.number},
                     {"step", outcome.best.step},
                     {"ended_by", outcome.ended_early ? "evaluations" : "patience"},
                     {"mixes", mixes}});
  }
  const SeedStatistics statistics = seed_statistics(outcomes);
  return json_document({{"metric", spans ? "f1" : "accuracy"},
                        {"score", statistics.mean},
                        {"deviation", statistics.deviation},
                        {"seeds", seeds}});
}

}  // namespace elmo
