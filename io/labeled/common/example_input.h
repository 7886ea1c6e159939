// Selection of the labeled data to read.
#pragma once

#include <atomic>
#include <string>

#include "io/text/segment/segmenter.h"

namespace elmo {

/// A file of labeled data.
struct ExampleInput {
  std::string file;                ///< "-" is standard input
  std::string column = "upos";     ///< column of CoNLL-U with the labels of tokens
  TokenizerSettings tokenizer;     ///< for raw text
  bool labeled = true;             ///< else labels are ignored and may be missing
  bool skip_unanswerable = false;  ///< skip questions without an answer

  bool strict = false;            ///< invalid UTF-8 is an error; else it is read as U+FFFD
  bool skip_bad_records = false;  ///< skip and count malformed records

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace elmo
