// `elmo init`: a randomly initialized model, and `elmo convert`: a model in the layout of AllenNLP
// and bilm-tf.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/reporter.h"
#include "io/engine/new_model.h"

namespace elmo {
namespace {

template <typename Request>
void add_output(const Options& app, Request& request) {
  app.add_option("-o,--output", request.output, "DIR", "Output folder, created if missing")
      .required();
}

template <typename Request>
void add_overwrite_and_quiet(const Options& app, Flags<Request>& flags) {
  app.add_flag("--overwrite", flags.request.overwrite, "Replace the model in DIR");
  app.add_flag("--quiet", flags.quiet, "Print only errors");
}

ExitCode init_and_report(const Flags<InitRequest>& flags) {
  RunReport report(flags.quiet);
  run_init(flags.request, report);
  return kDone;
}

ExitCode convert_and_report(const Flags<ConvertRequest>& flags) {
  RunReport report(flags.quiet);
  run_convert(flags.request, report);
  return kDone;
}

}  // namespace

void add_init(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<Flags<InitRequest>>();
  InitRequest& request = flags->request;
  Options command =
      app.add_subcommand("init", "Create a random model, initialized like published ones");
  add_architecture_flags(command, request.model);
  add_seed(command, request.seed, "Seed of the random weights");
  add_output(command, request);
  add_overwrite_and_quiet(command, *flags);
  run_if_chosen(command, flags, init_and_report, chosen);
}

void add_convert(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<Flags<ConvertRequest>>();
  ConvertRequest& request = flags->request;
  Options command =
      app.add_subcommand("convert", "Convert a model to the layout of AllenNLP and bilm-tf");
  command
      .add_argument("MODEL", request.model,
                    "Model folder, zip archive or installed model. ELMoForManyLangs models with "
                    "characters need --vocab")
      .required();
  command.add_option(
      "--vocab", request.vocabulary, "FILE",
      "Make a word-level model of these words, one per line, including `<S>`, `</S>` "
      "and `<UNK>`");
  add_output(command, request);
  add_choice(command, "--dtype", request.dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
             "Type of the stored weights");
  add_overwrite_and_quiet(command, *flags);
  run_if_chosen(command, flags, convert_and_report, chosen);
}

}  // namespace elmo
