// Columns of tables of texts, whose first line names them, such as those of GLUE.
#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "io/tasks/texts.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

using Names = std::vector<std::string>;

// The names that labels and texts have in GLUE (Wang et al. 2019), SNLI, MultiNLI and others, in
// order of preference.
const Names kLabelNames = {"label",    "gold_label",   "labels", "class",
                           "category", "is_duplicate", "quality"};
const Names kTextNames = {"text", "sentence"};
const Names kPairNames[] = {
    {"text1", "sentence1", "premise", "question1", "question", "#1 string"},
    {"text2", "sentence2", "hypothesis", "question2", "sentence", "#2 string"}};

/// The names of text `number` of `texts`.
const Names& text_names(std::size_t number, std::size_t texts) {
  return texts == 1 ? kTextNames : kPairNames[number];
}

/// Returns the column with the first of these names.
std::optional<std::size_t> column_of(const Names& columns, const Names& names) {
  for (const std::string& name : names) {
    const auto found = std::ranges::find(columns, name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  }
  return std::nullopt;
}

[[noreturn]] void refuse_columns(const Names& columns, const Message& expected) {
  throw InputError("found the columns " + excerpt(joined(columns, ", ")) + "; expected " +
                   expected);
}

/// Throws RequestError if a given column would be read twice. Labels that are ignored are
/// recognized by a usual name, beside texts with usual names.
void check_distinct(const TableColumns& columns, const TableNames& given) {
  std::optional<std::size_t> label = columns.label;
  const std::size_t texts = columns.texts.size();
  bool usual = !label;
  for (std::size_t number = 0; number < texts; ++number) {
    usual = usual && column_of(columns.names, text_names(number, texts));
  }
  if (usual) label = column_of(columns.names, kLabelNames);
  const Setting setting = given.texts.empty() ? Setting{"label_column"} : Setting{"text_column"};
  for (const std::size_t column : columns.texts) {
    const Message found = setting + std::string(" ").append(excerpt(columns.names[column]));
    if (column == label) {
      throw RequestError(found + ": one column cannot be a text and its label; name two");
    }
    if (std::ranges::count(columns.texts, column) > 1) {
      throw RequestError(found + ": one column cannot be both texts of a pair; name two");
    }
  }
}

/// Returns the column with the given name or else a known one. InputError if the given one is
/// missing.
std::optional<std::size_t> column_of(const Names& columns, const std::string& given,
                                     const Names& known) {
  if (given.empty()) return column_of(columns, known);
  const std::optional<std::size_t> column = column_of(columns, {lower_case(given)});
  if (!column) refuse_columns(columns, "one called '" + excerpt(given) + "'");
  return column;
}

}  // namespace

std::string TableColumns::read_names() const {
  Names read;
  if (label) read.push_back(names[*label]);
  for (const std::size_t text : texts) read.push_back(names[text]);
  return excerpt(joined(read, ", "));
}

std::optional<TableColumns> table_columns(std::string_view line, std::size_t texts, bool labeled,
                                          const TableNames& given) {
  if (!given.texts.empty() && given.texts.size() != texts) {
    throw RequestError(Setting{"text_column"} +
                       (": found " + human_count(given.texts.size(), "name")) + "; expected " +
                       std::to_string(texts));
  }
  TableColumns columns;
  for (const std::string_view name : split(line, '\t')) {
    columns.names.push_back(lower_case(without_outer_blanks(name)));
  }
  for (std::size_t number = 0; number < texts; ++number) {
    const std::string name = given.texts.empty() ? "" : given.texts[number];
    const auto column = column_of(columns.names, name, text_names(number, texts));
    if (column) columns.texts.push_back(*column);
  }
  if (labeled) columns.label = column_of(columns.names, given.label, kLabelNames);
  if (columns.texts.size() == texts && (columns.label || !labeled)) {
    std::vector<std::size_t> read = columns.texts;
    if (columns.label) read.push_back(*columns.label);
    for (const std::size_t column : read) {
      const std::string& name = columns.names[column];
      if (std::ranges::count(columns.names, name) == 1) continue;
      refuse_columns(columns.names, "one called '" + excerpt(name) + "', not several");
    }
    if (given.given()) check_distinct(columns, given);
    return columns;
  }
  if (!given.given()) return std::nullopt;
  Message expected = texts == 1 ? "a text" : "two texts";
  if (labeled) expected += " and a label";
  expected += " among them; name them with " + Setting{"text_column"};
  if (labeled) expected += " and " + Setting{"label_column"};
  refuse_columns(columns.names, expected);
}

}  // namespace elmo
