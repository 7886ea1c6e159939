// `elmo init`: a random model, as models are before they are trained.
#include <CLI/App.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/human.h"
#include "cli/options.h"
#include "cli/report.h"
#include "core/error.h"
#include "core/model/initialize.h"
#include "core/model/presets.h"
#include "io/model/model.h"
#include "io/model/options.h"
#include "io/model/save.h"

namespace elmo {
namespace {

struct InitFlags {
  std::string preset;
  std::string options;
  std::uint64_t seed = 0;
  std::string output;
  bool overwrite = false;
  bool quiet = false;
};

ModelOptions model_options(const InitFlags& flags) {
  if (flags.options.empty()) return *preset(flags.preset);
  const ParsedOptions parsed = read_options(flags.options);
  const ModelOptions& options = parsed.options;
  if (!options.char_cnn && options.n_tokens_vocab == 0) {
    throw InputError(flags.options + ": lacks n_tokens_vocab; expected the number of words");
  }
  return options;
}

ExitCode run_init(const InitFlags& flags) {
  const ModelOptions options = model_options(flags);
  Parameters parameters(options);
  initialize(parameters, options, flags.seed);
  save_model(flags.output, options, parameters, nullptr,
             {.existing = flags.overwrite ? ExistingModel::replaced : ExistingModel::kept});
  Report(flags.quiet)
      .line("a random model of " + human_count(parameters.count()) + " parameters is in " +
            flags.output);
  return kDone;
}

}  // namespace

void add_init(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<InitFlags>();
  CLI::App* command =
      app.add_subcommand("init", "Make a random model, initialised as published models were");
  std::string names;
  for (const std::string_view name : preset_names()) {
    names += (names.empty() ? "" : "|") + std::string(name);
  }
  CLI::Option* preset_option =
      command->add_option("--preset", flags->preset, "Architecture of that name");
  preset_option->option_text(names);
  command
      ->add_option("--options", flags->options,
                   "Instead of --preset: the architecture that an\noptions.json describes")
      ->option_text("FILE")
      ->excludes(preset_option);
  add_whole(command, "--seed", flags->seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(),
            "The same seed makes the same model (default: 0)");
  command
      ->add_option("-o,--output", flags->output,
                   "Folder for options.json and weights.hdf5; made where\nit is missing")
      ->option_text("DIR")
      ->required();
  command->add_flag("--overwrite", flags->overwrite, "Replace a model that is in DIR already");
  command->add_flag("--quiet", flags->quiet, "Say nothing where all is well");
  command->callback([flags, names, &chosen] {
    if (flags->preset.empty() && flags->options.empty()) {
      throw UsageError("which architecture? Give --preset " + names + " or --options FILE");
    }
    if (flags->options.empty() && !preset(flags->preset)) {
      throw UsageError("--preset: '" + flags->preset + "' is not one of " + names);
    }
    chosen = [flags] { return run_init(*flags); };
  });
}

}  // namespace elmo
