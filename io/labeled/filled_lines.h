// Copies a labeled file while it is read, and returns its lines with other labels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/labeled/example_file.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/conllu_reader.h"

namespace elmo {

/// Keeps the lines of a file of columns or CoNLL-U while they are read, and returns them with
/// labels filled in. Comments, multiword tokens, empty nodes, other columns, blank lines and line
/// ends are unchanged. Memory: the lines between reading and filling. One thread may read the
/// result of keep() while another calls fill() and rest().
class FilledLines {
 public:
  /// `column`: column of CoNLL-U for the labels, see ConlluColumns::find_labels. In columns, labels
  /// go to the last column, or to a new column if a file has only tokens.
  FilledLines(TextForm form, std::string column) : form_(form), column_(std::move(column)) {}

  /// Passes `bytes` through and keeps a copy. This object must outlive the result.
  std::unique_ptr<ByteSource> keep(std::unique_ptr<ByteSource> bytes);

  /// Fills `labels` into the lines of the file's next tokens, one each. Returns all lines up to the
  /// last of these tokens, and the following lines through a blank line. Without labels, returns
  /// nothing.
  std::string fill(std::span<const std::string> labels);

  /// The remaining lines after the last token, at the end of the file.
  std::string rest();

 private:
  class Bytes;

  std::string_view next_line() const;
  bool holds_token(std::string_view line);
  std::string filled(std::string_view line, const std::string& label) const;

  TextForm form_;
  std::string column_;
  ConlluColumns columns_;
  std::mutex mutex_;  // guards the following members
  std::string kept_;
  std::size_t begin_ = 0;  // begin of the part that has not been returned
};

}  // namespace elmo
