// The options of commands that read labeled files.
#pragma once

#include <optional>
#include <string>

#include "io/labeled/tokens/labeled_sentences.h"

namespace elmo {

class Option;
class Options;

/// Format of a file and column of its labels.
struct LabeledFlags {
  std::optional<LabeledFormat> format;
  std::string column = LabeledInput{}.column;
};

/// Registers --column. `column` must outlive the parsing of `app`.
Option add_column(Options app, std::string& column);

/// Registers --column and --format. `flags` must outlive the parsing of `app`.
void add_labeled_flags(Options app, LabeledFlags& flags);

}  // namespace elmo
