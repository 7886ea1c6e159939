// `elmo task evaluate`: how good a trained model is on labeled data.
#include <CLI/App.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/task/commands.h"
#include "cli/flags/options.h"
#include "cli/flags/predictor.h"
#include "cli/flags/task.h"
#include "cli/numbers/human.h"
#include "cli/process/standard_output.h"
#include "cli/report/json.h"
#include "cli/report/report.h"
#include "cli/report/task/prediction_text.h"
#include "cli/run/task/data.h"
#include "cli/run/task/predictor.h"
#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/labelled/examples.h"

namespace elmo {
namespace {

/// How often a label was given where another one was expected.
using Confusions = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct TaskEvaluateFlags {
  PredictorFlags predictor;
  TaskDataFlags data;
  std::string file;
  bool json = false;
  bool differences = false;
};

Json counts_json(const AgreementCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f1()},
          {"expected", counts.expected},
          {"predicted", counts.predicted},
          {"correct", counts.correct}};
}

std::string scores_json(const LabelScores& scores, const ExampleShape& shape) {
  Json types = Json::object();
  for (const auto& [type, counts] : scores.types()) types[type] = counts_json(counts);
  return json_document({{"precision", scores.all().precision()},
                        {"recall", scores.all().recall()},
                        {"f1", scores.all().f1()},
                        {"macro_f1", scores.macro_f1()},
                        {"accuracy", scores.accuracy()},
                        {shape.token_labels ? "tokens" : "examples", scores.tokens()},
                        {"types", types}});
}

std::string scores_table(const LabelScores& scores) {
  const auto row = [](const std::string& name, const AgreementCounts& counts) {
    return formatted("%-20s %9.2f %9.2f %9.2f %9llu %9llu %9llu\n", name.c_str(),
                     counts.precision(), counts.recall(), counts.f1(),
                     static_cast<unsigned long long>(counts.expected),
                     static_cast<unsigned long long>(counts.predicted),
                     static_cast<unsigned long long>(counts.correct));
  };
  std::string text = formatted("%-20s %9s %9s %9s %9s %9s %9s\n", "", "precision", "recall", "F1",
                               "expected", "predicted", "correct");
  for (const auto& [type, counts] : scores.types()) text += row(type, counts);
  if (scores.spans()) text += row("all", scores.all());
  text += formatted("macro F1 %.2f, ", scores.macro_f1());
  return text + formatted("accuracy %.2f %% of ", scores.accuracy()) +
         human_count(scores.tokens(), "label") + '\n';
}

/// How often which label was given where another was expected, the most frequent ones.
std::string confusions_table(const Confusions& confusions) {
  constexpr std::size_t kMostRows = 10;
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [labels, count] : confusions) {
    rows.emplace_back(count, labels.first + " → " + labels.second);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (rows.empty()) return "";
  std::string text = "expected → predicted, the most frequent:\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    text += "  " + rows[i].second + ": " + human_count(rows[i].first) + '\n';
  }
  return text;
}

/// The labels that the model gives where others are expected.
std::string differences(const std::string& file, std::span<const Sentence* const> texts,
                        const ExampleShape& shape, const std::vector<std::string>& expected,
                        const std::vector<std::string>& predicted) {
  std::string text;
  const Sentence& sentence = *texts.front();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == predicted[i]) continue;
    text.append(file).append(":").append(std::to_string(sentence.line_of(i)));
    if (shape.token_labels) {
      text.append("\t").append(sentence.token(i));
    } else {
      for (const Sentence* one : texts) text.append("\t").append(one->text());
    }
    text.append("\t").append(expected[i]).append("\t").append(predicted[i]).append("\n");
  }
  return text;
}

/// Says which labels are not known.
void report_unknown(const KnownLabels& known, const Report& report) {
  if (known.unknown() == 0) return;
  report.line(human_count(known.unknown(), "label") + " such as '" + known.first_unknown() +
              "' that the model does not know, counted as wrong");
}

ExitCode run_task_evaluate(const TaskEvaluateFlags& flags) {
  const Report report(flags.predictor.quiet);
  Predictor predictor(flags.predictor.request);
  const TaskDescription& description = predictor.description();
  const TaskKindEntry& kind = task_kind(description.options.kind);
  LabelSet labels(description.labels);
  const ExampleInput input{flags.file, flags.data.column, flags.data.locale, nullptr};
  TaskExamples examples = read_examples(*open_examples(input, kind.shape), kind.shape, labels);
  if (kind.shape.token_labels) {
    prepare_spans(examples, span_scheme(description.labels), labels);
  }
  report_unknown(check_labels(examples, labels, description.labels.size()), report);

  LabelScores scores = kind.scores(description.labels);
  Confusions confusions;
  BufferedOutput output;
  std::size_t next = 0;
  ExampleSentences sentences(examples);
  predictor.run(
      sentences, [&](std::span<const Sentence* const> texts, const TaskPrediction& prediction) {
        if (prediction.labels.empty()) return;
        const std::vector<std::string> expected = labels.names_of(examples.records[next++].labels);
        const std::vector<std::string> predicted = labels.names_of(prediction.labels);
        scores.add(expected, predicted);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          if (expected[i] != predicted[i]) ++confusions[{expected[i], predicted[i]}];
        }
        if (flags.differences) {
          output.write(differences(examples.name, texts, kind.shape, expected, predicted));
        }
      });
  output.write(flags.json ? scores_json(scores, kind.shape)
                          : scores_table(scores) + confusions_table(confusions));
  output.flush();
  return kDone;
}

}  // namespace

void add_task_evaluate(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<TaskEvaluateFlags>();
  CLI::App* command = app.add_subcommand("evaluate", "Score a trained model on labeled data");
  add_predictor_flags(command, flags->predictor);
  command->add_option("FILE", flags->file, "Labeled data, as in `elmo task train`")->required();
  add_task_data_flags(command, flags->data);
  CLI::Option* json = command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  command
      ->add_flag("--differences", flags->differences,
                 "Print each wrong prediction first: file, line, token or texts, gold label and "
                 "predicted label")
      ->excludes(json);
  command->callback([flags, &chosen] { chosen = [flags] { return run_task_evaluate(*flags); }; });
}

}  // namespace elmo
