// The text of manifests, and refusal of invalid ones.
#include "io/shard/manifest.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "io/shard/format.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/small_run.h"

namespace elmo {
namespace {

Manifest small_manifest() {
  Manifest manifest;
  manifest.provenance = {{"model", "0123"}, {"input", "größe.txt"}};
  manifest.options = R"({"layers":["x"],"mix":{"gamma":0.5}})";
  manifest.layout = {{"x", "forward_1", "backward_1"}, 4};
  manifest.dtype = Dtype::float16;
  for (std::size_t number = 0; number < 3; ++number) {
    ShardEntry shard;
    shard.file = shard_format::shard_file_name(number);
    shard.bytes = 1000 + number;
    shard.checksum = "aa";
    shard.first_sentence = 5 * number;
    shard.sentences = 5;
    shard.tokens = 40 + number;
    shard.documents = 2;
    shard.truncated_tokens = number;
    shard.unknown_tokens = 3;
    shard.input_hash = "bb";
    shard.checksums = {{"tokens", "cc"}, {"spans", "dd"}};
    shard.tables = {shard_format::tables_file_of(shard.file), 500 + number, "ff"};
    manifest.shards.push_back(shard);
  }
  manifest.index = {"index.h5", 77, "ee"};
  return manifest;
}

std::string refusal_of_manifest(const std::string& text) {
  try {
    parse_manifest(text, "manifest.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Returns the error for the small manifest with `from` replaced by `to`.
std::string refusal_with(const std::string& from, const std::string& to) {
  std::string text = manifest_text(small_manifest());
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return refusal_of_manifest(text.replace(at, from.size(), to));
}

TEST_CASE("a manifest's text reads back as the manifest") {
  const Manifest manifest = small_manifest();
  const std::string text = manifest_text(manifest);
  const Manifest read = parse_manifest(text, "manifest.json");
  CHECK(manifest_text(read) == text);
  CHECK(read.provenance == manifest.provenance);
  CHECK(read.layout.rows == manifest.layout.rows);
  CHECK(read.layout.width == 4);
  CHECK(read.dtype == Dtype::float16);
  REQUIRE(read.shards.size() == 3);
  CHECK(read.shards[2].next_sentence() == 15);
  CHECK(read.shards[1].tokens == 41);
  CHECK(read.shards[1].checksums == manifest.shards[1].checksums);
  CHECK(read.shards[1].tables.file == "tables-00001.h5");
  CHECK(read.shards[2].tables.bytes == 502);
  CHECK(read.shards[2].stored_bytes() == 1504);
  CHECK(read.shards[2].files().size() == 2);
  CHECK(read.complete());
  CHECK(read.index->bytes == 77);
}

TEST_CASE("a manifest keeps the run's options unchanged") {
  const Manifest manifest = small_manifest();
  const std::string text = manifest_text(manifest);
  CHECK(parse_manifest(text, "manifest.json").options == manifest.options);
  CHECK(text.find("\"gamma\": 0.5") != std::string::npos);
}

TEST_CASE("a part's folder name is read back") {
  const InputPart part{7, 100'000};
  CHECK(part_folder_name(part) == "part-00007-of-100000");
  CHECK(part_of_folder_name("part-00007-of-100000") == part);
  for (const char* name : {"part-7-of-100000", "part-00007-of-00007", "part-00000-of-100001",
                           "part-00000-of-99999999999", "part-00007-of-", "run"}) {
    CAPTURE(name);
    CHECK_FALSE(part_of_folder_name(name).has_value());
  }
}

TEST_CASE("a run that has not ended has no index") {
  Manifest manifest = small_manifest();
  manifest.index.reset();
  CHECK_FALSE(parse_manifest(manifest_text(manifest), "manifest.json").complete());
}

TEST_CASE("errors of a manifest are reported in plain words") {
  const std::string layers = R"( "layers": [
  "x",
  "forward_1",
  "backward_1"
 ])";
  for (const auto& [value, text] :
       {std::pair{" \"layers\": 7", "layers is 7; expected an array"},
        std::pair{" \"layers\": []", "layers is []; expected the names of the rows"},
        std::pair{" \"layers\": [1]", "layers[0] is 1; expected a string"},
        std::pair{" \"layers\": null", "layers is null; expected an array"},
        std::pair{" \"levels\": []", "layers is missing; expected an array"}}) {
    const std::string found = refusal_with(layers, value);
    CAPTURE(found);
    CHECK(found.find(text) != std::string::npos);
  }
  for (const auto& [from, to, text] :
       {std::tuple{"\"width\": 4", "\"width\": 0", "width is 0; expected the numbers of a row"},
        std::tuple{"\"width\": 4", "\"width\": 18446744073709551615", "a whole number from 0 to"},
        std::tuple{"\"width\": 4", "\"width\": -1", "a whole number"},
        std::tuple{"\"float16\"", "\"float8\"", "float32, float16, bfloat16, int8"},
        std::tuple{"\"sentences\": 5", "\"sentences\": 6", "from sentence 6"},
        std::tuple{"\"tokens\": 40", "\"tokens\": 4611686018427387904", "counts of shard-00001.h5"},
        std::tuple{"\"tokens\": 40", "\"tokens\": 18446744073709551615",
                   "shards[0].tokens is 18446744073709551615"},
        std::tuple{"shard-00001.h5", "shard-00007.h5", "expected shard-00001.h5"},
        std::tuple{"shard-00001.h5", "/etc/passwd", "a shard's name"},
        std::tuple{"index.h5", "../index.h5", "index.h5"},
        std::tuple{"tables-00002.h5", "tables-00001.h5", "expected tables-00002.h5"},
        std::tuple{"tables-00002.h5", "../tables-00002.h5", "expected tables-00002.h5"},
        std::tuple{"\"version\": 2", "\"version\": 1",
                   "version is 1; expected 2; elmo 0.7 or before made this run"},
        std::tuple{"elmo shards", "elmo", "elmo shards"}}) {
    const std::string found = refusal_with(from, to);
    CAPTURE(found);
    CHECK(found.find("manifest.json") == 0);
    CHECK(found.find(text) != std::string::npos);
  }
}

TEST_CASE("deep nesting is refused without following it") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* from : {"\"elmo shards\"", "\"float16\""}) {
    CHECK(refusal_with(from, deep) ==
          "manifest.json: nests deeper than 32 levels; expected a run's manifest");
  }
  CHECK(refusal_with("\"float16\"", "[[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[\"]]")
            .find("dtype is an array; expected one of") != std::string::npos);
}

TEST_CASE("only the beginning of a long value is shown") {
  const std::string found = refusal_with("\"float16\"", '"' + std::string(100'000, 'x') + '"');
  CHECK(found.size() < 300);
}

TEST_CASE("a manifest with any byte changed is read or refused without a crash") {
  const std::string good = manifest_text(small_manifest());
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(random());
    refusal_of_manifest(bad);
    refusal_of_manifest(good.substr(0, at));
  }
}

TEST_CASE("a folder without a manifest has none, and an unreadable one is an error") {
  const TempDir dir;
  CHECK_FALSE(read_manifest(dir / "absent").has_value());
  std::ofstream(dir / "manifest.json") << "{";
  CHECK_THROWS_AS(read_manifest(dir / "."), InputError);
}

TEST_CASE("a file that is not a manifest is described") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const std::string good = content_of(dir / "run" / "manifest.json");
  const auto refused = [&](const std::string& text) {
    std::ofstream(dir / "run" / "manifest.json") << text;
    return error_of<InputError>([&] { run_to_end(dir / "run", RunMode::resume); });
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(mentions(text, from));
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(mentions(refused("{"), "is not JSON"));
  CHECK(mentions(refused("[]"), "holds []; expected a run's manifest"));
  CHECK(mentions(refused("{}"), "format is missing"));
  CHECK(
      mentions(refused(replaced("\"version\": 2", "\"version\": 3")), "version is 3; expected 2"));
  CHECK(mentions(refused(replaced("\"sentences\": 8", "\"sentences\": -8")), "a whole number"));
  CHECK(mentions(refused(replaced("\"sentences\": 8", "\"sentences\": 9")), "from sentence 9"));
  CHECK(mentions(refused(replaced("shard-00001.h5", "../../elsewhere")), "a shard's name"));
  CHECK(mentions(refused(std::string(100'000, '[')), "nests deeper than 32 levels"));
}

}  // namespace
}  // namespace elmo
