// The options of commands that read labeled files.
#pragma once

#include <optional>
#include <string>

#include "io/labelled/tokens/labelled_sentences.h"

namespace elmo {

class Option;
class Options;

/// How the labels of a token stand in a file.
struct LabelledFlags {
  std::optional<LabelledFormat> format;
  std::string column = LabelledInput{}.column;
};

/// Registers --column, which outlives `app`'s parsing.
Option add_column(Options app, std::string& column);

/// Registers --column and --format; `flags` has to outlive `app`'s parsing.
void add_labelled_flags(Options app, LabelledFlags& flags);

}  // namespace elmo
