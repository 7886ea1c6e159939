#include "io/shard/verify.h"

#include <functional>
#include <optional>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "io/h5/trial.h"
#include "io/shard/check.h"
#include "io/shard/format.h"
#include "io/shard/index.h"

namespace elmo {
namespace {

using Problems = std::vector<std::string>;

/// What `check` finds in a file of `bytes`, in a process of its own.
Problems try_check(const std::filesystem::path& path, std::uint64_t bytes,
                   const std::function<Problems()>& check) {
  Problems problems;
  try {
    h5::try_out(path.string(), bytes, [&] {
      std::string lines;
      for (const std::string& problem : check()) lines += problem + '\n';
      if (!lines.empty()) throw InputError(lines);
    });
  } catch (const std::exception& error) {
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);) problems.push_back(line);
  }
  return problems;
}

/// All that is wrong with a shard whose bytes are those that were published.
Problems check_values(const std::filesystem::path& path, const ShardEntry& shard,
                      const Manifest& manifest) {
  ShardCheck check = check_shard(path, shard, manifest.layout, manifest.dtype);
  if (check.not_finite != 0) {
    check.problems.push_back(path.string() + ": " + std::to_string(check.not_finite) +
                             " activations are infinite or no number; expected finite ones");
  }
  return check.problems;
}

void add(VerifyReport& report, const std::vector<std::string>& problems) {
  report.problems.insert(report.problems.end(), problems.begin(), problems.end());
}

}  // namespace

VerifyReport verify_run(const std::filesystem::path& folder, const CheckListener& listener) {
  std::optional<Manifest> read = read_manifest(folder);
  if (!read) {
    throw InputError(folder.string() + " has no " + shard_format::kManifest +
                     "; expected a folder that elmo embed has written");
  }
  VerifyReport report{*std::move(read), {}};
  const Manifest& manifest = report.manifest;
  // Only files that are as they were published are opened.
  bool whole = true;
  std::uint64_t bytes = 0;
  const auto intact = [&](const PublishedFile& file) {
    if (listener) listener(file);
    const Problems problems = check_file(folder / file.file, file);
    add(report, problems);
    whole = whole && problems.empty();
    bytes += file.bytes;
    return problems.empty();
  };
  for (const ShardEntry& shard : manifest.shards) {
    if (!intact(shard)) continue;
    const std::filesystem::path path = folder / shard.file;
    const Problems problems =
        try_check(path, shard.bytes, [&] { return check_values(path, shard, manifest); });
    add(report, problems);
    whole = whole && problems.empty();
  }
  if (manifest.index && intact(*manifest.index) && whole) {
    const std::filesystem::path path = folder / manifest.index->file;
    add(report, try_check(path, bytes, [&] { return check_index(folder, path, manifest); }));
  }
  return report;
}

}  // namespace elmo
