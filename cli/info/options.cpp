// `elmo info`: describes a model, a shard or a run's folder.
#include "cli/common/options.h"

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/info/report.h"

namespace elmo {
namespace {

struct InfoFlags {
  std::string path;
  bool check = false;
  bool json = false;
};

ExitCode describe_and_print(const InfoFlags& flags) {
  const Description description = describe(flags.path, flags.check);
  print_with_problems(flags.json ? description.json() : description.text(), description.problems());
  return description.problems().empty() ? kDone : kBadInput;
}

}  // namespace

void add_info(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<InfoFlags>();
  Options command = app.add_subcommand("info", "Describe a model, a shard or a run, and its cost");
  command.add_argument("PATH", flags->path,
                       "Model, task model, shard, tables, index or run; without one, the tool, "
                       "this CPU and the installed models");
  command.add_flag("--check", flags->check,
                   "Check a model: shapes, finite weights, and on a built-in text the range of "
                   "activations and, with a softmax, the perplexity");
  command.add_flag("--json", flags->json, "Print JSON with exact counts");
  command.footer(
      "Exit codes: 0 done, 1 failure, 2 usage, 3 no valid model, shard or run, or a check "
      "that failed; standard error names the problem.");
  run_if_chosen(command, flags, describe_and_print, chosen);
}

}  // namespace elmo
