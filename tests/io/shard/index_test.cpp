// The index of runs with many shards.
#include "io/shard/index.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/manifest.h"
#include "io/shard/run_reader.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

constexpr std::uint64_t kShards = 280;

/// Makes a run with two sentences per shard.
Manifest make_run(const std::filesystem::path& folder, std::uint64_t shards = kShards) {
  ShardFormat format;
  format.layout = small_layout();
  ShardRun run(folder, {{"model", "0123"}}, RunMode::create, format);
  feed(run, format.layout, 0, 2 * shards, 2);
  return run.manifest();
}

/// Merges this many parts, each of three shards, without an index.
Manifest make_merged(const std::filesystem::path& folder, std::uint64_t parts) {
  Manifest whole;
  PartBase base;
  for (std::uint64_t number = 0; number < parts; ++number) {
    JoinedPart joined;
    joined.folder = part_folder_name({number, parts});
    const Manifest part = make_run(folder / joined.folder, 3);
    joined.shards = part.shards.size();
    joined.index = part.index.value();
    joined.base = base;
    whole.layout = part.layout;
    whole.dtype = part.dtype;
    for (ShardEntry shard : part.shards) {
      shard.file = joined.folder + "/" + shard.file;
      shard.tables.file = joined.folder + "/" + shard.tables.file;
      base.sentences += shard.sentences;
      base.tokens += shard.tokens;
      base.documents += shard.documents;
      whole.shards.push_back(std::move(shard));
    }
    whole.parts.push_back(std::move(joined));
  }
  return whole;
}

}  // namespace

TEST_CASE("an index of many shards shows each of them in its position") {
  const TempDir dir;
  const std::filesystem::path folder = dir / "run";
  const Manifest manifest = make_run(folder);
  REQUIRE(manifest.shards.size() == kShards);
  // Shards seven apart have the same number of tokens: only their sentence numbers differ.
  for (const std::size_t number : {std::size_t{0}, std::size_t{60}, kShards - 8}) {
    CAPTURE(number);
    Manifest swapped = manifest;
    std::swap(swapped.shards[number].file, swapped.shards[number + 7].file);
    write_index(folder, folder / "swapped.h5", swapped);
    const auto problems =
        check_index(folder, folder / "swapped.h5", manifest, IndexCheck::all_values);
    CHECK(problems.size() == 5);  // columns of tokens
    for (const std::string& problem : problems) {
      CHECK(problem.find(" shows other rows") != std::string::npos);
    }
  }
  CHECK(check_index(folder, folder / "index.h5", manifest, IndexCheck::all_values).empty());
}

TEST_CASE("an index maps few shards directly and many through a tree") {
  const TempDir dir;
  for (const std::uint64_t shards : {std::uint64_t{16}, std::uint64_t{17}}) {
    const std::filesystem::path folder = dir / std::to_string(shards);
    make_run(folder, shards);
    const h5::Reader index(folder / "index.h5", h5::VirtualDatasets::allowed);
    CHECK(index.exists("tree") == (shards > 16));
    RunReader reader(folder);
    const auto values = static_cast<std::size_t>(reader.layout().values_per_token());
    std::vector<float> expected(reader.token_count() * values);
    reader.read_activations({0, reader.token_count()}, expected);
    std::vector<float> found(expected.size());
    index.dataset("activations").read(found);
    CHECK(found == expected);
    CHECK(index.dataset("tokens").read_strings(0, reader.token_count()) ==
          reader.read_tokens({0, reader.token_count()}));
  }
}

TEST_CASE("an index holds the values of the tables") {
  const TempDir dir;
  const std::filesystem::path folder = dir / "run";
  const Manifest manifest = make_run(folder, 3);
  for (const ShardEntry& shard : manifest.shards) {
    std::filesystem::remove(folder / shard.tables.file);
  }
  const h5::Reader index(folder / "index.h5", h5::VirtualDatasets::allowed);
  std::vector<std::uint32_t> documents(6);
  index.dataset("sentences/document").read_rows(0, 6, std::span(documents));
  CHECK(documents == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1});
  std::vector<std::uint64_t> lines(6);
  index.dataset("sentences/line").read_rows(0, 6, std::span(lines));
  CHECK(lines == std::vector<std::uint64_t>{1, 2, 3, 1, 2, 3});
  CHECK(index.dataset("documents/id").info().rows() == 2);
}

TEST_CASE("a merged index shows the shards of all parts") {
  const TempDir dir;
  const Manifest manifest = make_merged(dir.path(), 7);
  const std::filesystem::path path = dir / "index.h5";
  write_index(dir.path(), path, manifest);
  CHECK(check_index(dir.path(), path, manifest, IndexCheck::all_values).empty());
  const h5::Reader index(path, h5::VirtualDatasets::allowed);
  CHECK(index.virtual_parts("spans").size() == 21);
  CHECK(index.exists("tree/spans/1"));
}

}  // namespace elmo
