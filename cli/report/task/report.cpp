#include "cli/report/task/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/numbers/human.h"
#include "cli/report/json.h"
#include "cli/report/panels.h"
#include "io/files/atomic_file.h"
#include "io/labeled/task/task_folder.h"
#include "io/labeled/task/task_state.h"

namespace elmo {

const char* score_name(TaskMetric metric) { return metric == TaskMetric::f1 ? "F1" : "accuracy"; }

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

void TaskReport::progress_ended() {
  run_.progress_ended();
  status_.clear();
}

void TaskReport::model_begins(const std::filesystem::path& folder, TaskMetric metric) {
  folder_ = folder;
  score_ = score_name(metric);
}

void TaskReport::stepped(const SessionProgress<TaskLearner>& progress) {
  if (!status_.due()) return;
  std::string text = "step " + human_count(progress.step) + " of at most " +
                     human_count(progress.last_step) + ", " +
                     human_rate(progress.tokens_per_second, "tokens") + ", loss " +
                     human_number(progress.last.loss, 4);
  if (progress.evaluation) {
    text += ", " + std::string(score_) + " " + human_number(progress.evaluation->score, 4);
  }
  status_.show(text);
}

void TaskReport::evaluated(const TaskEvaluation& evaluation, const TaskStep* /*last*/) {
  status_.clear();
  if (plot_) {
    const std::vector<TaskEvaluation> evaluations = read_task_progress(folder_ / kMetricsFile);
    const PlottedTask run{folder_.string(), evaluations};
    replace_file(folder_ / kCurvesFile, task_curves_svg(std::span(&run, 1), score_));
  }
  run_.note("step " + human_count(evaluation.step) + ": loss " + human_number(evaluation.loss, 4) +
            ", " + score_ + " on dev " + formatted("%.2f", evaluation.score) +
            (evaluation.best ? ", the best so far" : "") + "; rate " +
            human_number(evaluation.rate, 3));
}

void TaskReport::model_trained(const TaskOutcome& outcome) {
  if (!outcome.ended_early) return;
  run_.note("ended by --evaluations " + human_count(outcome.evaluations.size()) +
            " with the best score at number " + human_count(outcome.best.number) +
            ": more may find a better one; repeat the command with --resume and a larger number");
}

void TaskReport::seeds_trained(const std::filesystem::path& folder,
                               std::span<const TaskOutcome> outcomes, TaskMetric metric) {
  const auto best = std::ranges::max_element(
      outcomes, {}, [](const TaskOutcome& outcome) { return outcome.best.score; });
  run_.note("seed " + std::to_string(best->seed) + " is the best; elmo task evaluate " +
            seed_folder(folder, best->seed).string() + " FILE scores its model, and so for others");
  if (!plot_) return;
  std::vector<PlottedTask> runs;
  for (const TaskOutcome& outcome : outcomes) {
    runs.push_back({"seed " + std::to_string(outcome.seed), outcome.evaluations});
  }
  replace_file(folder / kCurvesFile, task_curves_svg(runs, score_name(metric)));
}

void TaskReport::ended(const std::filesystem::path& folder, const TaskResult& result) {
  switch (result.end) {
    case TaskEnd::stopped:
      break;  // already reported when it stopped
    case TaskEnd::stopped_embedding:
      run_.note(
          "stopped while computing activations; repeat the command with --resume to continue");
      break;
    case TaskEnd::completed:
      run_.note("the model is in " + folder.string());
      break;
  }
}

SeedStatistics seed_statistics(std::span<const double> scores) {
  const auto count = static_cast<double>(scores.size());
  SeedStatistics statistics;
  for (const double score : scores) statistics.mean += score / count;
  double squares = 0.0;
  for (const double score : scores) squares += std::pow(score - statistics.mean, 2);
  if (scores.size() > 1) statistics.deviation = std::sqrt(squares / (count - 1.0));
  return statistics;
}

SeedStatistics seed_statistics(std::span<const TaskOutcome> outcomes) {
  std::vector<double> scores;
  for (const TaskOutcome& outcome : outcomes) scores.push_back(outcome.best.score);
  return seed_statistics(scores);
}

namespace {

/// Statistics of the scores on the test data; nothing without test data.
std::optional<SeedStatistics> test_statistics(std::span<const TaskOutcome> outcomes) {
  std::vector<double> scores;
  for (const TaskOutcome& outcome : outcomes) {
    if (!outcome.test) return std::nullopt;
    scores.push_back(*outcome.test);
  }
  return seed_statistics(scores);
}

}  // namespace

std::string outcomes_text(std::span<const TaskOutcome> outcomes, TaskMetric metric) {
  const auto line = [&](const char* data, const SeedStatistics& statistics) {
    std::string text =
        std::string(score_name(metric)) + " on " + data + formatted(" %.2f", statistics.mean);
    if (outcomes.size() > 1) {
      text += formatted(" ± %.2f", statistics.deviation) + " over " +
              human_count(outcomes.size(), "seed");
    }
    return text + '\n';
  };
  const std::optional<SeedStatistics> test = test_statistics(outcomes);
  return line("dev", seed_statistics(outcomes)) + (test ? line("test", *test) : "");
}

std::string outcomes_json(std::span<const TaskOutcome> outcomes, TaskMetric metric) {
  Json seeds = Json::array();
  for (const TaskOutcome& outcome : outcomes) {
    Json mixes = Json::object();
    for (const LearnedMix& mix : outcome.mixes) {
      mixes[mix.place] = {{"shares", mix.shares}, {"gamma", mix.gamma}};
    }
    Json seed{{"seed", outcome.seed},
              {"score", outcome.best.score},
              {"evaluation", outcome.best.number},
              {"step", outcome.best.step},
              {"ended_by", outcome.ended_early ? "evaluations" : "patience"},
              {"mixes", mixes}};
    if (outcome.test) seed["test"] = *outcome.test;
    seeds.push_back(std::move(seed));
  }
  const SeedStatistics statistics = seed_statistics(outcomes);
  Json json{{"metric", kTaskMetrics.word(metric)},
            {"score", statistics.mean},
            {"deviation", statistics.deviation},
            {"seeds", std::move(seeds)}};
  if (const std::optional<SeedStatistics> test = test_statistics(outcomes)) {
    json["test"] = test->mean;
    json["test_deviation"] = test->deviation;
  }
  return json_document(json);
}

}  // namespace elmo
