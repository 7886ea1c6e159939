#include "io/engine/merge.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "core/error.h"
#include "core/human.h"
#include "io/files/paths.h"
#include "io/shard/merge.h"

namespace elmo {
namespace {

/// "0,5,7-9": the format of job arrays.
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

/// Throws InputError, naming the parts that are missing or incomplete.
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

}  // namespace

MergeOutcome run_merge(const MergeRequest& request, RunListener& listener) {
  raise_open_file_limit();
  PartMerge merge(request.folder);
  listener.note(merge.warning());
  require_all(request.folder, merge);
  const Manifest whole = merge.run();
  MergeOutcome outcome;
  outcome.parts = whole.parts.size();
  outcome.shards = whole.shards.size();
  for (const ShardEntry& shard : whole.shards) outcome.tokens += shard.tokens;
  if (!whole.shards.empty()) outcome.sentences = whole.shards.back().next_sentence();
  return outcome;
}

}  // namespace elmo
