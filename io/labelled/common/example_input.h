// Which labeled data are read.
#pragma once

#include <atomic>
#include <string>

namespace elmo {

/// A file of labeled data.
struct ExampleInput {
  std::string file;                ///< "-" is standard input
  std::string column = "upos";     ///< of CoNLL-U, that holds the labels of tokens
  std::string locale;              ///< whose rules segment labeled texts, as InputOptions::locale
  bool labelled = true;            ///< else labels are not looked at, and may be missing
  bool skip_unanswerable = false;  ///< questions without an answer are left out

  /// Once true, next() throws ReadingStopped where it would wait for a pipe; not owned, may be
  /// null.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace elmo
