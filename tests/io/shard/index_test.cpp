// The index of runs of many shards.
#include "io/shard/index/index.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "io/shard/write/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

constexpr std::uint64_t kShards = 280;

/// A run of two sentences a shard.
Manifest make_run(const std::filesystem::path& folder) {
  ShardFormat format;
  format.layout = small_layout();
  ShardRun run(folder, {{"model", "0123"}}, RunMode::create, format);
  feed(run, format.layout, 0, 2 * kShards, 2);
  return run.manifest();
}

}  // namespace

TEST_CASE("an index of many shards shows each of them where it is") {
  const TempDir dir;
  const std::filesystem::path folder = dir / "run";
  const Manifest manifest = make_run(folder);
  REQUIRE(manifest.shards.size() == kShards);
  // Shards that are seven apart have as many tokens: only their numbers differ.
  for (const std::size_t number : {std::size_t{0}, std::size_t{60}, kShards - 8}) {
    CAPTURE(number);
    Manifest swapped = manifest;
    std::swap(swapped.shards[number].file, swapped.shards[number + 7].file);
    write_index(folder, folder / "swapped.h5", swapped);
    const auto problems = check_index(folder, folder / "swapped.h5", manifest);
    CHECK(problems.size() == 6);  // columns of tokens and sentences
    for (const std::string& problem : problems) {
      CHECK(problem.find(" shows other rows") != std::string::npos);
    }
  }
  CHECK(check_index(folder, folder / "index.h5", manifest).empty());
}

}  // namespace elmo
