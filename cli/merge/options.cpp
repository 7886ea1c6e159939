// `elmo merge`: joins the parts of a run.
#include "cli/common/options.h"

#include <memory>

#include "cli/command.h"
#include "cli/common/reporter.h"
#include "core/human.h"
#include "io/engine/merge.h"

namespace elmo {
namespace {

ExitCode merge_and_report(const MergeRequest& request) {
  RunReport report(request.quiet);
  const MergeOutcome merged = run_merge(request, report);
  report.note(human_count(merged.parts, "part") + " with " + human_count(merged.shards, "shard") +
              " merged: " + human_count(merged.tokens, "token") + " in " +
              human_count(merged.sentences, "sentence"));
  return kDone;
}

}  // namespace

void add_merge(const Options& app, Command& chosen) {
  const auto request = std::make_shared<MergeRequest>();
  Options command =
      app.add_subcommand("merge", "Join the parts written by `embed --parts` under one index");
  command.add_option("DIR", request->folder, "Folder of all parts").required();
  command.add_flag("--quiet", request->quiet, "Print only errors");
  command.footer(
      "Writes DIR/index.h5 and DIR/manifest.json; activations stay in place. Missing or unfinished "
      "parts are named as a list for `sbatch --array`.\nExit codes: 0 done, 1 failure, 2 usage, 3 "
      "missing or mismatched parts.");
  run_if_chosen(command, request, merge_and_report, chosen);
}

}  // namespace elmo
