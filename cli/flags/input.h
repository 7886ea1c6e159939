// The options that select the input and how to read it.
#pragma once

#include <string>

#include "io/text/source/text_source.h"

namespace elmo {

class Options;

/// Registers FILE… and the reading options. `input` must outlive the parsing of `app`.
void add_input_flags(Options app, InputOptions& input);

/// Registers only the reading options.
void add_reading_flags(Options app, InputOptions& input);

/// Registers --tokenizer and --locale.
void add_tokenizer_flags(Options app, TokenizerRequest& request, const std::string& group);

/// Throws RequestError for options that have no effect on the chosen format.
void check_input_flags(const Options& app, const InputOptions& input);

}  // namespace elmo
