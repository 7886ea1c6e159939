#include "io/shard/verify.h"

#include <utility>

#include "io/shard/check.h"
#include "io/shard/trial.h"

namespace elmo {
namespace {

using Problems = std::vector<std::string>;

void add(VerifyReport& report, const std::vector<std::string>& problems) {
  report.problems.insert(report.problems.end(), problems.begin(), problems.end());
}

}  // namespace

VerifyReport verify_run(const std::filesystem::path& folder, const CheckListener& listener) {
  VerifyReport report{require_manifest(folder), {}};
  const Manifest& manifest = report.manifest;
  // Only files that are as they were published are opened.
  bool whole = true;
  const auto intact = [&](const PublishedFile& file) {
    if (listener) listener(file);
    const Problems problems = check_file(folder / file.file, file);
    add(report, problems);
    whole = whole && problems.empty();
    return problems.empty();
  };
  for (std::size_t number = 0; number < manifest.shards.size(); ++number) {
    if (!intact(manifest.shards[number])) continue;
    const Problems problems = try_shard(folder, manifest, number);
    add(report, problems);
    whole = whole && problems.empty();
  }
  if (manifest.index && intact(*manifest.index) && whole) {
    add(report, try_index(folder, manifest));
  }
  return report;
}

}  // namespace elmo
