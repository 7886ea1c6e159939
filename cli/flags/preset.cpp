#include "cli/flags/preset.h"

#include "cli/flags/options.h"
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

Option add_preset(Options app, std::string& preset, const std::string& help) {
  const auto names = preset_names();
  return add_word(app, "--preset", preset, {names.begin(), names.end()}, help);
}

void add_preset_flags(Options app, PresetFlags& flags) {
  Option preset_option = add_preset(app, flags.preset,
                                    "Architecture: `tiny`, or the published `small`, `medium` "
                                    "or `original`");
  app->add_option("--options", flags.options,
                  "Architecture from an `options.json`, instead of --preset")
      ->type_name("FILE")
      ->excludes(preset_option);
}

void check_preset_flags(const PresetFlags& flags) {
  if (flags.preset.empty() && flags.options.empty()) {
    throw RequestError("no architecture given: use --preset " + names_of_presets() +
                       " or --options FILE");
  }
}

ModelOptions model_options(const PresetFlags& flags) {
  if (flags.options.empty()) return *preset(flags.preset);
  return read_options(flags.options).options;
}

}  // namespace elmo
