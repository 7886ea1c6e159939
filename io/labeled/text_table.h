// Columns of tables of texts, whose first line names them, such as those of GLUE.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Names of the columns to read, in any case. Empty: the names that well-known data sets have.
struct TableNames {
  std::vector<std::string> texts;  ///< one, or two for a pair
  std::string label;

  bool given() const { return !texts.empty() || !label.empty(); }
};

/// The columns of a table with texts and labels, counted from 0.
struct TableColumns {
  std::vector<std::string> names;    ///< of all columns, in lower case
  std::optional<std::size_t> label;  ///< nothing if labels are ignored and there are none
  std::vector<std::size_t> texts;

  /// The names of the columns that are read: "label, sentence".
  std::string read() const;
};

/// Finds the columns of `texts` texts and, if the file is `labeled`, of a label by the first line
/// of a file, whose names TABs divide. Returns nothing if it does not name them and no names are
/// given. InputError, without the line, if it lacks a given name or, with names given, a column;
/// RequestError for another number of names of texts.
std::optional<TableColumns> table_columns(std::string_view line, std::size_t texts, bool labeled,
                                          const TableNames& given);

}  // namespace elmo
