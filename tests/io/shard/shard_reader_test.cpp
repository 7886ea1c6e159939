// The description of a shard.
#include "io/shard/shard_reader.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/h5/writer.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/small_run.h"

namespace elmo {
namespace {

TEST_CASE("a shard describes itself") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto description = describe_shard(dir / "run" / "shard-00001.h5");
  REQUIRE(description.has_value());
  CHECK(description->format == "elmo shard");
  const std::map<std::string, std::string> attributes(description->attributes.begin(),
                                                      description->attributes.end());
  CHECK(attributes.at("layers") == "x, top");
  CHECK(attributes.at("model") == "0123");
  CHECK(attributes.at("first_sentence") == "8");
  CHECK(attributes.at("next_sentence") == "16");
  CHECK(attributes.at("dtype") == "float32");
  CHECK(attributes.at("truncated_tokens") == "0");
  CHECK(description->datasets.size() == 5);
  const auto tables = describe_shard(dir / "run" / "tables-00001.h5");
  REQUIRE(tables.has_value());
  CHECK(tables->format == "elmo tables");
  CHECK(tables->datasets.size() == 6);
  CHECK(describe_shard(dir / "run" / "index.h5")->format == "elmo index");
}

TEST_CASE("a shard is read with its own tables only") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto file = [&](const char* name) { return h5::Reader(dir / "run" / name); };
  CHECK(ShardReader(file("shard-00001.h5"), file("tables-00001.h5")).sentence_begin() == 8);
  CHECK(mentions(
      error_of<InputError>([&] { ShardReader(file("shard-00001.h5"), file("tables-00002.h5")); }),
      "shard-00001.h5: input_hash is "));
}

TEST_CASE("shards and tables of another format or version are refused") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  for (const auto& [format, version] :
       {std::pair{"elmo tables", std::uint64_t{3}}, std::pair{"elmo index", std::uint64_t{2}},
        std::pair{"elmo shard", std::uint64_t{1}}}) {
    const std::filesystem::path path = dir / "other.h5";
    {
      h5::Writer writer(path);
      writer.write_attribute(shard_format::kFormat, std::string_view(format));
      writer.write_attribute(shard_format::kFormatVersion, version);
      writer.close();
    }
    const std::string found =
        "other.h5: format is " + std::string(format) + ", version " + std::to_string(version);
    const auto refusal = [](const std::filesystem::path& file,
                            const std::filesystem::path& tables) {
      return error_of<InputError>([&] { ShardReader(h5::Reader(file), h5::Reader(tables)); });
    };
    CHECK(mentions(refusal(dir / "run" / "shard-00001.h5", path),
                   found + "; expected elmo tables, version 2"));
    CHECK(mentions(refusal(path, dir / "run" / "tables-00001.h5"),
                   found + "; expected elmo shard, version 2"));
  }
}

TEST_CASE("a shard of another run is refused") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  Manifest manifest = require_manifest(dir / "run");
  CHECK_NOTHROW(open_shard(dir / "run", manifest, 1));
  manifest.provenance.front().second = "4567";
  CHECK(mentions(error_of<InputError>([&] { open_shard(dir / "run", manifest, 1); }),
                 "shard-00001.h5 is of another run than manifest.json: model was 4567 and is "
                 "0123"));
  manifest = require_manifest(dir / "run");
  manifest.shards[1].input_hash = manifest.shards[0].input_hash;
  CHECK(mentions(error_of<InputError>([&] { open_shard(dir / "run", manifest, 1); }),
                 "shard-00001.h5: input_hash is "));
}

TEST_CASE("a damaged shard is reported or rejected") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const std::string good = content_of(dir / "run" / "shard-00000.h5");
  for (std::size_t at = 0; at < good.size(); at += 397) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(~bad[at]);
    std::ofstream(dir / "bad.h5", std::ios::binary) << bad;
    try {
      describe_shard(dir / "bad.h5");
    } catch (const InputError& error) {
      CHECK(mentions(error.what(), "bad.h5"));
    }
  }
}

}  // namespace
}  // namespace elmo
