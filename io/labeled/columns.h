// Files in columns: a token per line, with columns of what is known of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// How lines are divided. tabs: at each TAB; at runs of spaces in a line without any TAB. blanks:
/// at runs of white space.
enum class ColumnSeparator { tabs, blanks };

/// Reads the lines of a file in columns. One thread.
class ColumnLines {
 public:
  /// `file` must outlive this object.
  ColumnLines(OpenedFile& file, ColumnSeparator separator)
      : lines_(file.window), separator_(separator) {}

  /// Reads the next line. Returns false at the end.
  bool next();

  /// True if the line is too long, or all lines since begin_unit() have more than `bytes`.
  bool exceeds(std::size_t bytes) const { return lines_.too_long() || bytes_ > bytes; }
  /// Begins a sentence or a document, for exceeds().
  void begin_unit() { bytes_ = 0; }

  std::uint64_t number() const { return lines_.number(); }
  /// The line in valid UTF-8.
  std::string_view text() const { return line_.text(); }
  /// Number of columns; 0 for a blank line.
  std::size_t count() const { return columns_.size(); }
  std::string_view operator[](std::size_t column) const {
    return text().substr(columns_[column].begin, columns_[column].end - columns_[column].begin);
  }

  /// Adds a column as a token, with its place in the file and its line.
  void add_token(std::size_t column, Sentence& sentence) const;

 private:
  RecordLines lines_;
  ColumnSeparator separator_;
  RepairedText line_;
  std::vector<TextRange> columns_;  // of line_
  std::size_t bytes_ = 0;
};

}  // namespace elmo
