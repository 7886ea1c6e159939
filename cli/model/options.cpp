// `elmo init`: a randomly initialized model, and `elmo convert`: a model in the layout of AllenNLP
// and bilm-tf.
#include "cli/common/options.h"

#include <limits>
#include <memory>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/reporter.h"
#include "io/engine/new_model.h"

namespace elmo {
namespace {

template <typename Request>
void add_output(const Options& app, Request& request) {
  app.add_option("-o,--output", request.output, "Output folder, created if missing")
      .type_name("DIR")
      .required();
}

template <typename Request>
void add_overwrite_and_quiet(const Options& app, Request& request) {
  app.add_flag("--overwrite", request.overwrite, "Replace the model in DIR");
  app.add_flag("--quiet", request.quiet, "Print only errors");
}

ExitCode init_and_report(const InitRequest& request) {
  RunReport report(request.quiet);
  run_init(request, report);
  return kDone;
}

ExitCode convert_and_report(const ConvertRequest& request) {
  RunReport report(request.quiet);
  run_convert(request, report);
  return kDone;
}

}  // namespace

void add_init(const Options& app, Command& chosen) {
  const auto request = std::make_shared<InitRequest>();
  Options command =
      app.add_subcommand("init", "Create a random model, initialized like published ones");
  add_preset_flags(command, request->model);
  add_whole(command, "--seed", request->seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(), "Seed of the random weights");
  add_output(command, *request);
  add_overwrite_and_quiet(command, *request);
  run_if_chosen(command, request, init_and_report, chosen);
}

void add_convert(const Options& app, Command& chosen) {
  const auto request = std::make_shared<ConvertRequest>();
  Options command =
      app.add_subcommand("convert", "Convert a model to the layout of AllenNLP and bilm-tf");
  command
      .add_option("MODEL", request->model,
                  "Model folder, zip archive or installed model. ELMoForManyLangs models with "
                  "characters need --vocab")
      .required();
  command
      .add_option("--vocab", request->vocabulary,
                  "Make a word-level model of these words, one per line, including `<S>`, `</S>` "
                  "and `<UNK>`")
      .type_name("FILE");
  add_output(command, *request);
  add_choice(command, "--dtype", request->dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
             "Type of the stored weights");
  add_overwrite_and_quiet(command, *request);
  run_if_chosen(command, request, convert_and_report, chosen);
}

}  // namespace elmo
