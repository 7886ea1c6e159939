// `elmo merge`: the parts of a run as one.
#include "io/shard/index/merge.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/numbers/human.h"
#include "cli/report/report.h"
#include "core/error.h"
#include "io/files/open_files.h"

namespace elmo {
namespace {

struct MergeFlags {
  std::string folder;
  bool quiet = false;
};

/// "0,5,7-9": as job arrays take it.
std::string array_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[begin]);
    if (end - begin == 2) text += ',' + std::to_string(numbers[end - 1]);
    if (end - begin > 2) text += '-' + std::to_string(numbers[end - 1]);
    begin = end;
  }
  return text;
}

/// InputError that names the parts that are not there.
void require_all(const std::string& folder, const PartMerge& merge) {
  if (merge.missing().empty() && merge.unfinished().empty()) return;
  std::string text = folder + ": of " + human_count(merge.count(), "part");
  if (!merge.missing().empty()) {
    text += ", " + human_count(merge.missing().size()) + " not begun (" +
            array_text(merge.missing()) + ")";
  }
  if (!merge.unfinished().empty()) {
    text += ", " + human_count(merge.unfinished().size()) + " not ended (" +
            array_text(merge.unfinished()) + ")";
  }
  std::vector<std::uint64_t> all;
  std::ranges::merge(merge.missing(), merge.unfinished(), std::back_inserter(all));
  throw InputError(text + "; embed them with --part and --resume: --array=" + array_text(all));
}

ExitCode run_merge(const MergeFlags& flags) {
  raise_open_file_limit();
  const Report report(flags.quiet);
  PartMerge merge(flags.folder);
  if (!merge.warning().empty()) report.line(merge.warning());
  require_all(flags.folder, merge);
  const Manifest whole = merge.run();
  std::uint64_t tokens = 0;
  for (const ShardEntry& shard : whole.shards) tokens += shard.tokens;
  const std::uint64_t sentences = whole.shards.empty() ? 0 : whole.shards.back().next_sentence();
  report.line(human_count(whole.parts.size(), "part") + " with " +
              human_count(whole.shards.size(), "shard") + " merged: " +
              human_count(tokens, "token") + " in " + human_count(sentences, "sentence"));
  return kDone;
}

}  // namespace

void add_merge(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<MergeFlags>();
  CLI::App* command =
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
