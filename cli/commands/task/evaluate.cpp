// `elmo task evaluate`: how good a trained model is on labeled data.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/task/commands.h"
#include "cli/flags/options.h"
#include "cli/flags/predictor.h"
#include "cli/flags/task.h"
#include "cli/numbers/human.h"
#include "cli/process/standard_output.h"
#include "cli/report/json.h"
#include "cli/report/report.h"
#include "cli/run/task/data.h"
#include "cli/run/task/predictor.h"
#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/kinds.h"
#include "io/labelled/examples.h"
#include "io/labelled/kinds.h"

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

/// With these members first.
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

std::string scores_json(const TaskScores& scores, const TaskKindEntry& kind,
                        std::uint64_t examples) {
  return json_document(
      figures_json(scores.figures(), {{"kind", kind.name}, {"examples", examples}}));
}

/// "macro_f1" as people write it: "macro F1".
std::string title_of(const std::string& name) {
  std::string title = name;
  std::ranges::replace(title, '_', ' ');
  const std::size_t f1 = title.rfind("f1");
  if (f1 != std::string::npos) title[f1] = 'F';
  return title;
}

std::string number_of(const ScoreFigure& figure) {
  if (const double* number = std::get_if<double>(&figure.value)) return formatted("%.2f", *number);
  return human_count(std::get<std::uint64_t>(figure.value));
}

/// A row of the table, its numbers to the right.
std::string table_row(const std::string& name, const std::vector<std::string>& cells) {
  std::string row = formatted("%-20s", name.c_str());
  for (const std::string& cell : cells) row += formatted(" %9s", cell.c_str());
  return row + '\n';
}

using Figures = std::vector<ScoreFigure>;

/// The rows of `figures` whose values are numbers alone, after a line of their names; those of
/// nested ones likewise.
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
      cells.push_back(number_of(number));
    }
    if (!names.empty() && names != columns) table += table_row("", columns = names);
    if (!names.empty()) table += table_row(figure.name, cells);
  }
  return table;
}

/// The figures under names as rows of a table, then the others in a line.
std::string scores_table(const TaskScores& scores, std::uint64_t examples) {
  const Figures figures = scores.figures();
  std::vector<std::string> columns;
  std::string text = figures_table(figures, columns);
  for (const ScoreFigure& figure : figures) {
    if (std::holds_alternative<Figures>(figure.value)) continue;
    text += title_of(figure.name) + ' ' + number_of(figure) + ", ";
  }
  return text + human_count(examples, "example") + '\n';
}

/// How often which label was given where another was expected, the most frequent ones.
std::string confusions_table(const Confusions& confusions) {
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

/// The labels that the model gives where others are expected.
std::string differences(const std::string& file, const ExampleGroup& group,
                        const ExampleShape& shape, const std::vector<std::string>& expected,
                        const std::vector<std::string>& predicted) {
  std::string text;
  const Sentence& sentence = group.texts.front();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == predicted[i]) continue;
    text.append(file).append(":").append(std::to_string(sentence.line_of(i)));
    if (shape.token_labels) {
      text.append("\t").append(sentence.token(i));
    } else {
      for (const Sentence& one : group.texts) text.append("\t").append(one.text());
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
  // Those that stand for themselves, and whose confusions are of interest.
  const bool labels_only = !task_file_kind(kind.kind).records;
  if (flags.differences && !labels_only) {
    throw RequestError(std::string("--differences is not for models of the kind ") + kind.name);
  }
  LabelSet labels(description.labels);
  const ExampleInput input{flags.file, flags.data.column, flags.data.locale, true, nullptr};
  TaskExamples examples = read_examples(*open_examples(input, kind.kind, labels));
  if (kind.shape.token_labels) {
    prepare_spans(examples, span_scheme(description.labels), labels);
  }
  if (kind.named_labels) {
    report_unknown(check_labels(examples, labels, description.labels.size()), report);
  }

  const std::unique_ptr<TaskScores> scores = kind.scores(description.labels, labels);
  Confusions confusions;
  BufferedOutput output;
  const auto note_labels = [&](const ExampleGroup& group, const TaskRecord& record,
                               const TaskPrediction& prediction) {
    const std::vector<std::string> expected = labels.names_of(record.labels);
    const std::vector<std::string> predicted = labels.names_of(prediction.labels);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected[i] != predicted[i]) ++confusions[{expected[i], predicted[i]}];
    }
    if (!flags.differences) return;
    output.write(differences(examples.name, group, kind.shape, expected, predicted));
  };
  KeptExamples kept(examples);
  predictor.run(kept, [&](const ExampleGroup& group, std::span<const TaskPrediction> predictions) {
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      scores->add(group.records[i], predictions[i]);
      if (labels_only) note_labels(group, group.records[i], predictions[i]);
    }
  });
  const std::uint64_t count = examples.records.size();
  output.write(flags.json ? scores_json(*scores, kind, count)
                          : scores_table(*scores, count) + confusions_table(confusions));
  output.flush();
  return kDone;
}

}  // namespace

void add_task_evaluate(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TaskEvaluateFlags>();
  Options command = app.add_subcommand("evaluate", "Score a trained model on labeled data");
  add_predictor_flags(command, flags->predictor);
  command->add_option("FILE", flags->file, "Labeled data, as in `elmo task train`")->required();
  add_task_data_flags(command, flags->data);
  Option json = command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  command
      ->add_flag("--differences", flags->differences,
                 "Print each wrong prediction first: file, line, token or texts, gold label and "
                 "predicted label")
      ->excludes(json);
  command->callback([flags, &chosen] { chosen = [flags] { return run_task_evaluate(*flags); }; });
}

}  // namespace elmo
