// `elmo mix`: mixes the layers of a run, without computing the biLM again.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "core/error.h"
#include "core/text.h"
#include "io/engine/mix.h"

namespace elmo {
namespace {

struct MixFlags : Flags<MixRequest> {
  bool resume = false;
  bool overwrite = false;
};

ExitCode mix_and_report(const MixFlags& flags) {
  if (!flags.given.contains("--weights") && !flags.given.contains("--task")) {
    throw RequestError("no weights given: use --weights W0,...,WL, or --task DIR");
  }
  MixRequest request = flags.request;
  request.mode = run_mode(flags.resume, flags.overwrite);
  RunReport report(flags.quiet);
  const MixOutcome outcome = run_mix(request, report, stop_on_signals());
  if (outcome.stopped) {
    report.note("stopped; " + published_text(outcome.shards));
    return kStopped;
  }
  report.note(human_count(outcome.tokens, "token") + " of " + request.run + " mixed");
  note_count(report, outcome.earlier_tokens, "token", "of them mixed before");
  return kDone;
}

}  // namespace

void add_mix(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<MixFlags>();
  MixRequest* const request = &flags->request;
  Options command = app.add_subcommand("mix", "Mix the layers of a run into one vector per token");
  command.add_argument("RUN", request->run, "Run written by embed or merge with all layers")
      .required();
  command
      .add_option("-o,--output", request->output, "DIR",
                  "Output folder for shards, created if missing")
      .required();
  const Option weights = add_numbers(command, "--weights", request->mixing.mix_weights, "W0,...,WL",
                                     "Layer weights before the softmax, token layer first");
  add_task_mix_flags(command, "--task", request->task).excludes(weights);
  add_number(command, "--gamma", request->mixing.gamma, "G", NumberRange{},
             "Factor gamma of the mix")
      .needs(weights);
  command
      .add_flag("--layer-norm", request->mixing.layer_norm,
                "Normalize each layer over the sentence, without boundaries, before mixing")
      .needs(weights);
  add_choice(command, "--dtype", request->dtype, kDtypes, "Output type; int8 has a scale per row")
      .default_str("as in the run");
  add_compression(command, request->compression, "Compression of the shards");
  const Option resume =
      command.add_flag("--resume", flags->resume, "Resume the run in DIR, if any");
  command.add_flag("--overwrite", flags->overwrite, "Replace the run in DIR").excludes(resume);
  command.add_flag("--quiet", flags->quiet, "Print only errors");
  command.footer(
      "A token's vector is gamma times the weighted sum of its layers, with softmax(weights) as "
      "weights (Peters et al. 2018, equation 1). From float32 shards, vectors equal those of `elmo "
      "embed --layers mix` bit for bit. Other types were rounded before mixing: float16 by at most "
      "2^-11 of each number, bfloat16 by 2^-8, int8 by 1/254 of the row's largest number.");
  run_if_chosen(command, flags, mix_and_report, chosen);
}

}  // namespace elmo
