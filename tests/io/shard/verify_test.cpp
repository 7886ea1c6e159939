// Damage that verification of a run finds.
#include "io/shard/verify.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/checksum.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/small_run.h"

namespace elmo {
namespace {

TEST_CASE("verify finds every flipped bit and every cut") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  for (const char* name : {"shard-00000.h5", "tables-00000.h5", "index.h5"}) {
    const auto path = dir / "run" / name;
    const std::string good = content_of(path);
    for (std::size_t at = 0; at < good.size(); at += 397) {
      CAPTURE(at);
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 4);
      std::ofstream(path, std::ios::binary) << bad;
      CHECK_FALSE(verify_run(dir / "run").problems.empty());
    }
    for (const std::size_t size : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
      std::ofstream(path, std::ios::binary) << good.substr(0, size);
      CHECK_FALSE(verify_run(dir / "run").problems.empty());
    }
    std::filesystem::remove(path);
    CHECK_FALSE(verify_run(dir / "run").problems.empty());
    std::ofstream(path, std::ios::binary) << good;
    CHECK(verify_run(dir / "run").problems.empty());
  }
  std::filesystem::remove(dir / "run" / "manifest.json");
  CHECK_THROWS_AS(verify_run(dir / "run"), InputError);
}

TEST_CASE("verify outlives shards whose checksums match and that the HDF5 library crashes on") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create, small_format(), nullptr, 4);
  const auto path = dir / "run" / "shard-00000.h5";
  const std::string good = content_of(path);
  const std::string manifest = content_of(dir / "run" / "manifest.json");
  const std::string checksum = file_checksum(path);
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int repeat = 0; repeat < 150; ++repeat) {
    std::string bad = good;
    for (int changes = 0; changes < 1 + repeat % 3; ++changes) {
      bad[random() % bad.size()] = static_cast<char>(repeat % 2 == 0 ? 0xFF : random());
    }
    std::ofstream(path, std::ios::binary) << bad;
    std::string changed = manifest;
    changed.replace(changed.find(checksum), checksum.size(), file_checksum(path));
    std::ofstream(dir / "run" / "manifest.json") << changed;
    for (const std::string& problem : verify_run(dir / "run").problems) {
      CHECK(mentions(problem, (dir / "run").string()));
    }
  }
}

TEST_CASE("verify says in plain words which shard is missing") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  std::filesystem::remove(dir / "run" / "shard-00001.h5");
  const VerifyReport report = verify_run(dir / "run");
  REQUIRE(report.problems.size() == 1);
  CHECK(mentions(report.problems.front(), "shard-00001.h5 is missing; expected a file of "));
  std::filesystem::remove(dir / "run" / "tables-00002.h5");
  CHECK(mentions(verify_run(dir / "run").problems.back(), "tables-00002.h5 is missing"));
}

TEST_CASE("verify continues after a file that the system refuses to read") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00000.h5";
  std::filesystem::remove(shard);
  std::filesystem::create_symlink(shard, shard);
  std::filesystem::remove(dir / "run" / "shard-00001.h5");
  const VerifyReport report = verify_run(dir / "run");
  REQUIRE(report.unread.size() == 1);
  CHECK(mentions(report.unread.front(), "shard-00000.h5: Too many levels of symbolic links"));
  REQUIRE(report.problems.size() == 1);
  CHECK(mentions(report.problems.front(), "shard-00001.h5 is missing"));
}

TEST_CASE("verify finds activations that are not finite") {
  const TempDir dir;
  for (const auto& [word, dtype] : kDtypes) {
    ShardFormat format = small_format();
    format.dtype = dtype;
    ShardRun sink(dir / "run", kRunProvenance, RunMode::overwrite, format);
    std::vector<Sentence> sentences{made_sentence(0)};
    std::vector<float> values = made_activations(0, sentences.front().size(), format.layout);
    values[1] = std::numeric_limits<float>::infinity();
    values[4] = std::numeric_limits<float>::quiet_NaN();
    sink.write({0, sentences, values});
    sink.end_segment({1, {}});
    sink.finish();
    const VerifyReport report = verify_run(dir / "run");
    REQUIRE(report.problems.size() == 1);
    CHECK(mentions(report.problems.front(), "2 activations are infinite or no number"));
  }
}

}  // namespace
}  // namespace elmo
