// `elmo merge`: joins the parts of a run.
#include "cli/common/options.h"

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/human.h"
#include "cli/common/reporter.h"
#include "cli/merge/run.h"

namespace elmo {
namespace {

struct MergeFlags {
  std::string folder;
  bool quiet = false;
};

ExitCode run_merge(const MergeFlags& flags) {
  RunReport report(flags.quiet);
  const MergeOutcome merged = run_merge(flags.folder, report);
  report.note(human_count(merged.parts, "part") + " with " + human_count(merged.shards, "shard") +
              " merged: " + human_count(merged.tokens, "token") + " in " +
              human_count(merged.sentences, "sentence"));
  return kDone;
}

}  // namespace

void add_merge(Options& app, Command& chosen) {
  const auto flags = std::make_shared<MergeFlags>();
  Options command =
      app.add_subcommand("merge", "Join the parts written by `embed --parts` under one index");
  command->add_option("DIR", flags->folder, "Folder of all parts")->required();
  command->add_flag("--quiet", flags->quiet, "Show errors only");
  command->footer(
      "Writes DIR/index.h5 and DIR/manifest.json; activations stay in place. Missing or unfinished "
      "parts are named as a list for `sbatch --array`.\nExit codes: 0 done, 1 failure, 2 usage, 3 "
      "missing or mismatched parts.");
  command->callback([flags, &chosen] { chosen = [flags] { return run_merge(*flags); }; });
}

}  // namespace elmo
