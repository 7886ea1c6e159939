#include "io/shard/check/trial.h"

#include <span>

#include "core/error.h"
#include "io/shard/check/check.h"
#include "io/shard/index/index.h"
#include "io/shard/index/merged_index.h"

namespace elmo {
namespace {

using ProblemList = std::vector<std::string>;

constexpr const char* kShardReading = "shard";
constexpr const char* kIndexReading = "index";

/// Problems are handed over one after the other, each ended by NUL.
std::string joined(const ProblemList& problems) {
  std::string all;
  for (const std::string& problem : problems) all += problem + '\0';
  return all;
}

ProblemList split(const std::string& all) {
  ProblemList problems;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\0', begin);
    problems.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return problems;
}

std::string read_shard(std::span<const std::string> arguments) {
  const std::filesystem::path folder = arguments[0];
  const Manifest manifest = read_manifest(folder).value();
  const ShardEntry& shard = manifest.shards.at(std::stoul(arguments[1]));
  const std::filesystem::path path = folder / shard.file;
  ShardCheck check = check_shard(path, shard, manifest.layout, manifest.dtype);
  if (check.not_finite != 0) {
    check.problems.push_back(path.string() + ": " + std::to_string(check.not_finite) +
                             " activations are infinite or no number; expected finite ones");
  }
  return joined(check.problems);
}

std::string read_index(std::span<const std::string> arguments) {
  const std::filesystem::path folder = arguments[0];
  const Manifest manifest = read_manifest(folder).value();
  const std::filesystem::path path = folder / manifest.index.value().file;
  return joined(manifest.parts.empty()
                    ? check_index(folder, path, manifest)
                    : check_merged_index(folder, path, manifest, IndexCheck::all_values));
}

ProblemList problems_of(const h5::Trial& trial) {
  try {
    return split(h5::try_out(trial));
  } catch (const InputError& error) {
    return {error.what()};
  }
}

}  // namespace

ProblemList try_shard(const std::filesystem::path& folder, const Manifest& manifest,
                      std::size_t number) {
  const ShardEntry& shard = manifest.shards.at(number);
  return problems_of({kShardReading,
                      {folder.string(), std::to_string(number)},
                      (folder / shard.file).string(),
                      h5::trial_limits(shard.bytes)});
}

ProblemList try_index(const std::filesystem::path& folder, const Manifest& manifest) {
  const PublishedFile& index = manifest.index.value();
  std::uint64_t bytes = index.bytes;
  for (const ShardEntry& shard : manifest.shards) bytes += shard.bytes;
  return problems_of(
      {kIndexReading, {folder.string()}, (folder / index.file).string(), h5::trial_limits(bytes)});
}

void add_shard_readings(h5::TrialReadings& readings) {
  readings[kShardReading] = read_shard;
  readings[kIndexReading] = read_index;
}

}  // namespace elmo
