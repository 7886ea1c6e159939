// A labeled file that is read, and written again with other labels.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/labeled/tokens/labeled_sentences.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/formats/conllu_reader.h"

namespace elmo {

/// Keeps the lines of a file of columns or CoNLL-U while they are read, and gives them back with
/// labels filled in: comments, multiword tokens, empty nodes, the other columns, blank lines and
/// line ends stay as they are. Memory: the lines between reading and filling. The bytes are for the
/// thread that reads, all else is for one other thread.
class FilledLines {
 public:
  /// `column`: of CoNLL-U, as ConlluColumns::find_labels, that the labels are put into. Of columns
  /// it is the last one, or one that is added to a file of tokens alone.
  FilledLines(LabeledFormat format, std::string column)
      : format_(format), column_(std::move(column)) {}

  /// The same bytes, kept; this has to outlive them.
  std::unique_ptr<ByteSource> keep(std::unique_ptr<ByteSource> bytes);

  /// All lines up to that of the last of these tokens, the next ones of the file, and what follows
  /// up to a blank line. No tokens: nothing.
  std::string fill(std::span<const std::string> labels);

  /// What is left after the last token, at the end of the file.
  std::string rest();

 private:
  class Bytes;

  std::string_view next_line() const;
  bool holds_token(std::string_view line);
  std::string filled(std::string_view line, const std::string& label) const;

  LabeledFormat format_;
  std::string column_;
  ConlluColumns columns_;
  std::mutex mutex_;  // of what follows
  std::string kept_;
  std::size_t begin_ = 0;  // of what has not been given back
};

}  // namespace elmo
