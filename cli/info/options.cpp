// `elmo info`: what a model, a shard or a run's folder is.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/process.h"
#include "cli/info/run.h"

namespace elmo {
namespace {

ExitCode describe_and_print(const InfoRequest& request) {
  const Description description = describe(request);
  standard_output().write(request.json ? description.json() : description.text());
  return kDone;
}

}  // namespace

void add_info(Options& app, Command& chosen) {
  const auto request = std::make_shared<InfoRequest>();
  Options command = app.add_subcommand("info", "Describe a model, a shard or a run, and its cost");
  command.add_option(
      "PATH", request->path,
      "Model, shard, index or run; without one, the tool, this CPU and the installed models");
  command.add_flag("--json", request->json, "Print JSON with exact counts");
  run_if_chosen(command, request, describe_and_print, chosen);
}

}  // namespace elmo
