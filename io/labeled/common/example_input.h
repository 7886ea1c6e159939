// Which labeled data are read.
#pragma once

#include <atomic>
#include <string>

#include "io/text/segment/segmenter.h"

namespace elmo {

/// A file of labeled data.
struct ExampleInput {
  std::string file;                ///< "-" is standard input
  std::string column = "upos";     ///< of CoNLL-U, that holds the labels of tokens
  TokenizerSettings tokenizer;     ///< of raw text
  bool labeled = true;             ///< else labels are not looked at, and may be missing
  bool skip_unanswerable = false;  ///< questions without an answer are left out

  bool strict = false;            ///< invalid UTF-8 is an error, else read as U+FFFD
  bool skip_bad_records = false;  ///< malformed records are counted and left out

  /// Once true, next() throws ReadingStopped where it would wait for a pipe; not owned, may be
  /// null.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace elmo
