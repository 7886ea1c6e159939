#include "cli/report/task/scores.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/numbers/human.h"
#include "cli/report/json.h"
#include "core/tasks/kinds.h"

namespace elmo {
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

std::string number_of(const ScoreFigure& figure) {
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
      cells.push_back(number_of(number));
    }
    if (!names.empty() && names != columns) table += table_row("", columns = names);
    if (!names.empty()) table += table_row(figure.name, cells);
  }
  return table;
}

/// Returns the nested figures as rows of a table, then the others in a line.
std::string scores_table(const Figures& figures, std::uint64_t examples) {
  std::vector<std::string> columns;
  std::string text = figures_table(figures, columns);
  for (const ScoreFigure& figure : figures) {
    if (std::holds_alternative<Figures>(figure.value)) continue;
    text += title_of(figure.name) + ' ' + number_of(figure) + ", ";
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
  return json_document(figures_json(
      result.figures, {{"kind", task_kind(result.kind).name}, {"examples", result.examples}}));
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
