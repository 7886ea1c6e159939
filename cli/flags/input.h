// The options that say what the input is and how it is read.
#pragma once

#include <string>

#include "io/text/source/text_source.h"

namespace elmo {

class Options;

/// Registers FILE… and the options of reading; `input` has to outlive `app`'s parsing.
void add_input_flags(Options app, InputOptions& input);

/// Registers the options of reading alone.
void add_reading_flags(Options app, InputOptions& input);

/// Registers --tokenizer and --locale.
void add_tokenizer_flags(Options app, TokenizerRequest& request, const std::string& group);

/// RequestError for options that say nothing about the chosen format.
void check_input_flags(const Options& app, const InputOptions& input);

}  // namespace elmo
