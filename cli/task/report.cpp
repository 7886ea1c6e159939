#include "cli/task/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "cli/common/learning_curves.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/tasks/task_folder.h"

namespace elmo {

std::string dry_task_text(const DryTaskTraining& found) {
  std::string text = human_count(found.tokens, "token") + " in " +
                     human_count(found.examples, "example") + " to train on, " +
                     human_count(found.dev_examples, "example") + " to evaluate on\n";
  text += human_count(found.parameters, "parameter") + ", " +
          (found.labels > 0 ? human_count(found.labels, "label") + ", " : "") +
          human_count(found.words, "word") + '\n';
  if (found.features_bytes > 0) {
    text += "activations: about " + human_bytes(found.features_bytes) + ", computed in " +
            human_time(found.features_seconds) + '\n';
  }
  text += human_count(found.steps_per_epoch, "step") + " an epoch, about " +
          human_time(found.epoch_seconds) + "; at most " + human_count(found.steps, "step") +
          (found.models > 1 ? " for each of " + human_count(found.models, "seed") : "") + '\n';
  text += "about " + human_bytes(found.memory_bytes) + " of memory for a sample\n";
  return text + "at most about " + human_time(found.seconds) +
         ", from a few steps; evaluations are not counted\n";
}

std::string dry_task_json(const DryTaskTraining& found) {
  return json_document({{"kind", found.kind},
                        {"examples", found.examples},
                        {"tokens", found.tokens},
                        {"dev_examples", found.dev_examples},
                        {"labels", found.labels},
                        {"words", found.words},
                        {"parameters", found.parameters},
                        {"steps_per_epoch", found.steps_per_epoch},
                        {"steps", found.steps},
                        {"models", found.models},
                        {"features_bytes", found.features_bytes},
                        {"features_seconds", found.features_seconds},
                        {"epoch_seconds", found.epoch_seconds},
                        {"seconds", found.seconds},
                        {"memory_bytes", found.memory_bytes}});
}

std::string score_number(const TaskMetric& metric, double score) {
  return formatted("%.*f", metric.decimals, score);
}

std::string score_axis(const TaskMetric& metric) {
  const std::string title = std::string(metric.title) + " on dev";
  return *metric.unit == '\0' ? title : title + ", " + metric.unit;
}

void TaskReport::model_begins(const std::filesystem::path& folder, const TaskMetric& metric) {
  folder_ = folder;
  metric_ = metric;
}

void TaskReport::stepped(const SessionProgress<TaskLearner>& progress) {
  if (!due()) return;
  std::string text = "step " + human_count(progress.step) + " of at most " +
                     human_count(progress.last_step) + ", " +
                     human_rate(progress.tokens_per_second, "tokens") + ", loss " +
                     human_number(progress.last.loss, 4);
  if (progress.evaluation) {
    text += ", " + std::string(metric_.title) + " " + human_number(progress.evaluation->score, 4);
  }
  show(text);
}

void TaskReport::evaluated(const TaskEvaluation& evaluation, const TaskStep* /*last*/) {
  if (plot_) {
    const PlottedTask run{escaped_name(folder_.string()),
                          read_task_progress(folder_ / kMetricsFile)};
    replace_file(folder_ / kCurvesFile, task_curves_svg(std::span(&run, 1), score_axis(metric_)));
  }
  note("step " + human_count(evaluation.step) + ": loss " + human_number(evaluation.loss, 4) +
       ", " + metric_.title + " on dev " + score_number(metric_, evaluation.score) +
       (evaluation.best ? ", the best so far" : "") + "; rate " + human_number(evaluation.rate, 3));
}

void TaskReport::ended(const TaskResult& result) {
  if (plot_ && folder_ != run_folder_) {
    std::vector<PlottedTask> runs;
    for (const TaskOutcome& outcome : result.outcomes) {
      runs.push_back({"seed " + std::to_string(outcome.seed), outcome.evaluations});
    }
    replace_file(run_folder_ / kCurvesFile, task_curves_svg(runs, score_axis(metric_)));
  }
  note("the model is in " + run_folder_.string());
}

namespace {

SeedStatistics statistics_of(std::span<const double> scores) {
  const auto count = static_cast<double>(scores.size());
  SeedStatistics statistics;
  for (const double score : scores) statistics.mean += score / count;
  double squares = 0.0;
  for (const double score : scores) squares += std::pow(score - statistics.mean, 2);
  if (scores.size() > 1) statistics.deviation = std::sqrt(squares / (count - 1.0));
  return statistics;
}

/// Statistics of the scores on the test data; nothing without test data.
std::optional<SeedStatistics> test_statistics(std::span<const TaskOutcome> outcomes) {
  std::vector<double> scores;
  for (const TaskOutcome& outcome : outcomes) {
    if (!outcome.test) return std::nullopt;
    scores.push_back(*outcome.test);
  }
  return statistics_of(scores);
}

}  // namespace

SeedStatistics seed_statistics(std::span<const TaskOutcome> outcomes) {
  std::vector<double> scores;
  for (const TaskOutcome& outcome : outcomes) scores.push_back(outcome.best.score);
  return statistics_of(scores);
}

std::string outcomes_text(std::span<const TaskOutcome> outcomes, const TaskMetric& metric) {
  const auto line = [&](const char* data, const SeedStatistics& statistics) {
    std::string text =
        std::string(metric.title) + " on " + data + ' ' + score_number(metric, statistics.mean);
    if (outcomes.size() > 1) {
      text += " ± " + score_number(metric, statistics.deviation) + " over " +
              human_count(outcomes.size(), "seed");
    }
    return text + '\n';
  };
  const std::optional<SeedStatistics> test = test_statistics(outcomes);
  return line("dev", seed_statistics(outcomes)) + (test ? line("test", *test) : "");
}

std::string outcomes_json(std::span<const TaskOutcome> outcomes, const TaskMetric& metric) {
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
  Json json{{"metric", metric.name},
            {"score", statistics.mean},
            {"deviation", statistics.deviation},
            {"seeds", std::move(seeds)}};
  if (const std::optional<SeedStatistics> test = test_statistics(outcomes)) {
    json["test"] = test->mean;
    json["test_deviation"] = test->deviation;
  }
  return json_document(json);
}

namespace {

/// Appends the figures to the members of `json` and returns it.
Json figures_json(const std::vector<ScoreFigure>& figures, Json json = Json::object()) {
  for (const ScoreFigure& figure : figures) {
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<ScoreFigure>>) {
            json[figure.name] = figures_json(value);
          } else {
            json[figure.name] = value;
          }
        },
        figure.value);
  }
  return json;
}

/// Returns the display name of a figure: "macro F1" for "macro_f1".
std::string title_of(const std::string& name) {
  std::string title = name;
  std::ranges::replace(title, '_', ' ');
  const std::size_t f1 = title.rfind("f1");
  if (f1 != std::string::npos) title[f1] = 'F';
  return title;
}

std::string figure_text(const ScoreFigure& figure) {
  if (const double* number = std::get_if<double>(&figure.value)) return formatted("%.2f", *number);
  return human_count(std::get<std::uint64_t>(figure.value));
}

/// Returns a row of the table, with numbers aligned right.
std::string table_row(const std::string& name, const std::vector<std::string>& cells) {
  std::string row = formatted("%-20s", name.c_str());
  for (const std::string& cell : cells) row += formatted(" %9s", cell.c_str());
  return row + '\n';
}

using Figures = std::vector<ScoreFigure>;

/// Returns a table row for each nested list of numbers in `figures`, at any depth, with a header
/// wherever their names change.
std::string figures_table(const Figures& figures, std::vector<std::string>& columns) {
  std::string table;
  for (const ScoreFigure& figure : figures) {
    const Figures* nested = std::get_if<Figures>(&figure.value);
    if (nested == nullptr) continue;
    if (!nested->empty() && std::holds_alternative<Figures>(nested->front().value)) {
      table += figures_table(*nested, columns);
      continue;
    }
    std::vector<std::string> names;
    std::vector<std::string> cells;
    for (const ScoreFigure& number : *nested) {
      names.push_back(title_of(number.name));
      cells.push_back(figure_text(number));
    }
    if (!names.empty() && names != columns) table += table_row("", columns = names);
    if (!names.empty()) table += table_row(figure.name, cells);
  }
  return table;
}

/// Returns the nested figures as rows of a table, then the other figures in a line.
std::string scores_table(const Figures& figures, std::uint64_t examples) {
  std::vector<std::string> columns;
  std::string text = figures_table(figures, columns);
  for (const ScoreFigure& figure : figures) {
    if (std::holds_alternative<Figures>(figure.value)) continue;
    text += title_of(figure.name) + ' ' + figure_text(figure) + ", ";
  }
  return text + human_count(examples, "example") + '\n';
}

/// Returns the most frequent pairs of expected and predicted label, with their counts.
std::string confusions_table(const LabelConfusions& confusions) {
  constexpr std::size_t kMaxRows = 10;
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [labels, count] : confusions) {
    rows.emplace_back(count, labels.first + " → " + labels.second);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (rows.empty()) return "";
  std::string text = "expected → predicted, the most frequent:\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxRows); ++i) {
    text += "  " + rows[i].second + ": " + human_count(rows[i].first) + '\n';
  }
  return text;
}

}  // namespace

std::string scores_json(const TaskEvaluationResult& result) {
  return json_document(
      figures_json(result.figures, {{"kind", result.kind}, {"examples", result.examples}}));
}

std::string scores_text(const TaskEvaluationResult& result) {
  return scores_table(result.figures, result.examples) + confusions_table(result.confusions);
}

std::string differences_text(const WrongLabels& wrong) {
  std::string text;
  const Sentence& sentence = wrong.group.texts.front();
  for (std::size_t i = 0; i < wrong.expected.size(); ++i) {
    if (wrong.expected[i] == wrong.predicted[i]) continue;
    const std::size_t token = wrong.of_tokens ? i % sentence.size() : 0;
    text.append(wrong.file).append(":").append(std::to_string(sentence.line_of(token)));
    if (!wrong.predicates.empty()) {
      const std::int32_t predicate = wrong.predicates[i / sentence.size()];
      text.append("\t").append(sentence.token(static_cast<std::size_t>(predicate)));
    }
    if (wrong.of_tokens) {
      text.append("\t").append(sentence.token(token));
    } else {
      for (const Sentence& one : wrong.group.texts) text.append("\t").append(one.text());
    }
    text.append("\t")
        .append(wrong.expected[i])
        .append("\t")
        .append(wrong.predicted[i])
        .append("\n");
  }
  return text;
}

}  // namespace elmo
