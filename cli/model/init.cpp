// `elmo init`: a randomly initialized model.
#include <limits>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/reporter.h"
#include "core/error.h"
#include "core/model/parameters.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/model/save.h"

namespace elmo {
namespace {

struct InitFlags {
  PresetFlags model;
  std::uint64_t seed = 0;
  std::string output;
  bool overwrite = false;
  bool quiet = false;
};

ExitCode run_init(const InitFlags& flags) {
  const Report report(flags.quiet);
  const ModelOptions options = model_options(flags.model);
  if (!options.char_cnn && options.n_tokens_vocab == 0) {
    throw InputError(flags.model.options + ": lacks n_tokens_vocab; expected the number of words");
  }
  make_folder(flags.output);
  const FolderLock lock(flags.output);
  if (!lock.warning().empty()) report.line(lock.warning());
  Parameters parameters(options);
  initialize_parameters(parameters, options, flags.seed);
  save_model(flags.output, options, parameters, nullptr,
             {.existing = flags.overwrite ? ExistingModel::replaced : ExistingModel::kept});
  report.line("a random model of " + human_count(parameters.count()) + " parameters is in " +
              flags.output);
  return kDone;
}

}  // namespace

void add_init(Options& app, Command& chosen) {
  const auto flags = std::make_shared<InitFlags>();
  Options command =
      app.add_subcommand("init", "Create a random model, initialized like published ones");
  add_preset_flags(command, flags->model);
  add_whole(command, "--seed", flags->seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(), "Seed of the random weights");
  command->add_option("-o,--output", flags->output, "Output folder, created if missing")
      ->type_name("DIR")
      ->required();
  command->add_flag("--overwrite", flags->overwrite, "Replace the model in DIR");
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->callback([flags, &chosen] {
    check_preset_flags(flags->model);
    chosen = [flags] { return run_init(*flags); };
  });
}

}  // namespace elmo
