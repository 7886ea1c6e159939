// The options of commands that read labeled files.
#pragma once

#include <optional>
#include <string>

#include "io/labeled/tokens/labeled_sentences.h"

namespace elmo {

class Option;
class Options;

/// How the labels of a token stand in a file.
struct LabeledFlags {
  std::optional<LabeledFormat> format;
  std::string column = LabeledInput{}.column;
};

/// Registers --column, which outlives `app`'s parsing.
Option add_column(Options app, std::string& column);

/// Registers --column and --format; `flags` has to outlive `app`'s parsing.
void add_labeled_flags(Options app, LabeledFlags& flags);

}  // namespace elmo
