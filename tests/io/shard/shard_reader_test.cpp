// What a shard says of itself.
#include "io/shard/shard_reader.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <string>

#include "core/error.h"
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
  CHECK(description->datasets.size() == 10);
  CHECK(describe_shard(dir / "run" / "index.h5")->format == "elmo index");
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
