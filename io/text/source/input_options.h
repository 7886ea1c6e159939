// What is read, and how.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "io/text/formats/format_options.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// What options say of the tokenizer; empty: nothing.
struct TokenizerRequest {
  std::string tokenizer;  ///< "ud", "moses", "icu" or the path of a rule file
  std::string locale;     ///< "de", "pt-BR"
};

struct InputOptions : FormatOptions {
  TokenizerRequest request;        ///< of which, and of a model, `tokenizer` is made
  std::vector<std::string> files;  ///< files and folders; "-" or none at all is standard input
  std::optional<InputPart> part;   ///< of the files' bytes; none: all of them
  bool whole_documents = false;    ///< parts end between documents only
  std::string written;             ///< file or folder of the output, no input; empty: none

  /// Once true, a read that waits for standard input or another pipe gives up and next() throws
  /// ReadingStopped, as it does before another file is opened; not owned, may be null.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace elmo
