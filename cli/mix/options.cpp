// `elmo mix`: mixes the layers of a run, without computing the biLM again.
#include "cli/common/options.h"

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/run_rows.h"
#include "cli/common/task_mix_options.h"
#include "cli/mix/run.h"
#include "core/error.h"

namespace elmo {
namespace {

struct MixFlags {
  std::string run;
  std::string output;
  EmbedOptions mixing;  ///< without --task
  TaskMixRequest task;
  std::optional<Dtype> dtype;  ///< nothing: the run's
  h5::Compression compression = h5::Compression::none;
  bool resume = false;
  bool overwrite = false;
  bool quiet = false;
};

MixRequest request_of(const MixFlags& flags) {
  MixRequest request;
  request.run = flags.run;
  request.folder = flags.output;
  if (flags.resume) request.mode = RunMode::resume;
  if (flags.overwrite) request.mode = RunMode::overwrite;
  request.mixing = layer_mixing(LayerSelection::mix, flags.mixing, flags.task);
  request.dtype = flags.dtype;
  request.compression = flags.compression;
  return request;
}

ExitCode run_mix(const MixFlags& flags) {
  require_other_folder(flags.output, flags.run);
  RunReport report(flags.quiet);
  const MixOutcome outcome = run_mix(request_of(flags), report, stop_on_signals());
  report.note(outcome.stopped
                  ? "stopped; " + published_text(outcome.shards)
                  : human_count(outcome.tokens, "token") + " of " + flags.run + " mixed");
  return outcome.stopped ? kStopped : kDone;
}

}  // namespace

void add_mix(Options& app, Command& chosen) {
  const auto flags = std::make_shared<MixFlags>();
  Options command = app.add_subcommand("mix", "Mix the layers of a run into one vector per token");
  command->add_option("RUN", flags->run, "Run written by embed with all layers")->required();
  command->add_option("-o,--output", flags->output, "Output folder for shards, created if missing")
      ->type_name("DIR")
      ->required();
  Option weights = add_numbers(command, "--weights", flags->mixing.mix_weights, "W0,...,WL",
                               "Layer weights before the softmax, token layer first");
  add_task_mix_flags(command, "--task", flags->task, "Options")->excludes(weights);
  add_number(command, "--gamma", flags->mixing.gamma, "G", NumberRange{}, "Factor gamma of the mix")
      ->needs(weights);
  command
      ->add_flag("--layer-norm", flags->mixing.layer_norm,
                 "Normalize each layer over the sentence, without boundaries, before mixing")
      ->needs(weights);
  add_dtype(command, "--dtype", flags->dtype, "Output type; int8 has a scale per row")
      ->default_str("as in the run");
  add_compression(command, flags->compression, "Compression of the shards");
  Option resume = command->add_flag("--resume", flags->resume, "Resume the run in DIR, if any");
  command->add_flag("--overwrite", flags->overwrite, "Replace the run in DIR")->excludes(resume);
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->footer(
      "A token's vector is gamma times the weighted sum of its layers, with softmax(weights) as "
      "weights (Peters et al. 2018, equation 1). From float32 shards, vectors equal those of `elmo "
      "embed --layers mix` bit for bit. Other types were rounded before mixing: float16 by at most "
      "2^-11 of each number, bfloat16 by 2^-8, int8 by 1/254 of the row's largest number.");
  command->callback([command, flags, &chosen] {
    if (command->count("--weights") + command->count("--task") == 0) {
      throw RequestError("no weights given: use --weights W0,...,WL, or --task DIR");
    }
    chosen = [flags] { return run_mix(*flags); };
  });
}

}  // namespace elmo
