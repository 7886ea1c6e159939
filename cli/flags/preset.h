// The options that say which architecture a new model has.
#pragma once

#include <string>

#include "core/model/options.h"

namespace CLI {
class App;
}

namespace elmo {

struct PresetFlags {
  std::string preset;
  std::string options;  ///< file; empty where `preset` is given
};

/// Registers --preset and --options; `flags` has to outlive `app`'s parsing.
void add_preset_flags(CLI::App* app, PresetFlags& flags);

/// RequestError where neither is given, or a preset that does not exist.
void check_preset_flags(const PresetFlags& flags);

/// What they stand for. InputError as read_options, and where the number of words is missing.
ModelOptions model_options(const PresetFlags& flags);

}  // namespace elmo
