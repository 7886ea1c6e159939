#include "cli/flags/preset.h"

#include <CLI/App.hpp>

#include "core/error.h"
#include "core/model/presets.h"
#include "io/model/model.h"

namespace elmo {
namespace {

std::string names_of_presets() {
  std::string names;
  for (const std::string_view name : preset_names()) {
    if (!names.empty()) names += '|';
    names += name;
  }
  return names;
}

}  // namespace

void add_preset_flags(CLI::App* app, PresetFlags& flags) {
  CLI::Option* preset_option =
      app->add_option("--preset", flags.preset, "Architecture of that name");
  preset_option->option_text(names_of_presets());
  app->add_option("--options", flags.options,
                  "Instead of --preset: the architecture that an\noptions.json describes")
      ->option_text("FILE")
      ->excludes(preset_option);
}

void check_preset_flags(const PresetFlags& flags) {
  if (flags.preset.empty() && flags.options.empty()) {
    throw RequestError("which architecture? Give --preset " + names_of_presets() +
                       " or --options FILE");
  }
  if (flags.options.empty() && !preset(flags.preset)) {
    throw RequestError("--preset: '" + flags.preset + "' is not one of " + names_of_presets());
  }
}

ModelOptions model_options(const PresetFlags& flags) {
  if (flags.options.empty()) return *preset(flags.preset);
  const ParsedOptions parsed = read_options(flags.options);
  const ModelOptions& options = parsed.options;
  if (!options.char_cnn && options.n_tokens_vocab == 0) {
    throw InputError(flags.options + ": lacks n_tokens_vocab; expected the number of words");
  }
  return options;
}

}  // namespace elmo
