// `elmo merge`: joins the parts of a run.
#include "cli/common/options.h"

#include <cstdint>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/common/reporter.h"
#include "core/text.h"
#include "io/shard/merge.h"

namespace elmo {
namespace {

struct MergeFlags {
  std::string folder;  ///< folder of all parts
  bool quiet = false;
};

ExitCode merge_and_report(const MergeFlags& flags) {
  RunReport report(flags.quiet);
  PartMerge merge(flags.folder);
  report.note(merge.warning());
  const Manifest whole = merge.run();
  std::uint64_t tokens = 0;
  for (const ShardEntry& shard : whole.shards) tokens += shard.tokens;
  const std::uint64_t sentences = whole.shards.empty() ? 0 : whole.shards.back().next_sentence();
  report.note(human_count(whole.parts.size(), "part") + " with " +
              human_count(whole.shards.size(), "shard") + " merged: " +
              human_count(tokens, "token") + " in " + human_count(sentences, "sentence"));
  return kDone;
}

}  // namespace

void add_merge(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<MergeFlags>();
  Options command =
      app.add_subcommand("merge", "Join the parts written by `embed --parts` under one index");
  command.add_argument("DIR", flags->folder, "Folder of all parts").required();
  command.add_flag("--quiet", flags->quiet, "Print only errors");
  command.footer(
      "Writes DIR/index.h5 and DIR/manifest.json; activations stay in place. Missing or unfinished "
      "parts are named as a list for `sbatch --array`.\nExit codes: 0 done, 1 failure, 2 usage, 3 "
      "missing or mismatched parts.");
  run_if_chosen(command, flags, merge_and_report, chosen);
}

}  // namespace elmo
