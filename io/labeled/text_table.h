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
  std::string read_names() const;
};

/// Finds the columns of `texts` texts and, if the file is `labeled`, of a label in `line`, the
/// first line of a file, which has names of columns separated by TABs. Returns nothing if it does
/// not name these columns and `given` has no names. If `given` has names: InputError, without the
/// line number, if a column is missing; RequestError if it names another number of texts.
std::optional<TableColumns> table_columns(std::string_view line, std::size_t texts, bool labeled,
                                          const TableNames& given);

}  // namespace elmo
