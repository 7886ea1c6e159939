#include "io/shard/verify.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "io/shard/check.h"
#include "io/shard/format.h"
#include "io/shard/index.h"

namespace elmo {
namespace {

void add(VerifyReport& report, const std::vector<std::string>& problems) {
  report.problems.insert(report.problems.end(), problems.begin(), problems.end());
}

}  // namespace

VerifyReport verify_run(const std::filesystem::path& folder, const VerifyListener& listener) {
  std::optional<Manifest> manifest = read_manifest(folder);
  if (!manifest) {
    throw InputError(folder.string() + " has no " + shard_format::kManifest +
                     "; expected a folder that elmo embed has written");
  }
  VerifyReport report{*std::move(manifest), {}};
  // HDF5 1.10 may crash over damaged metadata: only files that are as they were published are
  // opened.
  bool whole = true;
  const auto intact = [&](const PublishedFile& file) {
    if (listener) listener(file);
    const std::vector<std::string> problems = check_file(folder / file.file, file);
    add(report, problems);
    whole = whole && problems.empty();
    return problems.empty();
  };
  for (const ShardEntry& shard : report.manifest.shards) {
    if (!intact(shard)) continue;
    const ShardCheck check =
        check_shard(folder / shard.file, shard, report.manifest.layout, report.manifest.dtype);
    add(report, check.problems);
    if (check.not_finite != 0) {
      add(report, {(folder / shard.file).string() + ": " + std::to_string(check.not_finite) +
                   " activations are infinite or no number; expected finite ones"});
    }
  }
  if (const auto& index = report.manifest.index; index && intact(*index) && whole) {
    add(report, check_index(folder, folder / index->file, report.manifest));
  }
  return report;
}

}  // namespace elmo
