// The options that say which architecture a new model has.
#pragma once

#include <string>

#include "core/model/options.h"

namespace elmo {

class Option;
class Options;

struct PresetFlags {
  std::string preset;
  std::string options;  ///< file; empty where `preset` is given
};

/// Registers --preset alone; `preset`, which has to outlive `app`'s parsing, gets one of the names.
Option add_preset(Options app, std::string& preset, const std::string& help);

/// Registers --preset and --options; `flags` has to outlive `app`'s parsing.
void add_preset_flags(Options app, PresetFlags& flags);

/// RequestError where neither is given.
void check_preset_flags(const PresetFlags& flags);

/// What they stand for; n_tokens_vocab is 0 where a word-level model's file lacks it.
/// Errors as read_options.
ModelOptions model_options(const PresetFlags& flags);

}  // namespace elmo
