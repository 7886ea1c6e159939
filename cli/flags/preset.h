// The options that select the architecture of a new model.
#pragma once

#include <string>

#include "core/model/options.h"

namespace elmo {

class Option;
class Options;

struct PresetFlags {
  std::string preset;
  std::string options;  ///< file; empty if `preset` is given
};

/// Registers only --preset, which sets `preset` to one of the names. `preset` must outlive the
/// parsing of `app`.
Option add_preset(Options app, std::string& preset, const std::string& help);

/// Registers --preset and --options. `flags` must outlive the parsing of `app`.
void add_preset_flags(Options app, PresetFlags& flags);

/// Throws RequestError if neither is given.
void check_preset_flags(const PresetFlags& flags);

/// Returns the model options that the flags select. n_tokens_vocab is 0 if the file of a word-level
/// model lacks it. Errors: as read_options.
ModelOptions model_options(const PresetFlags& flags);

}  // namespace elmo
