// Uses the engine as a C++ program would.
#include "io/engine/embed/run.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "io/model/save.h"
#include "io/shard/run_reader.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("a program embeds a file into shards and into memory") {
  const TempDir dir;
  const ModelOptions options = small_options();
  save_model(dir / "model", options, random_parameters(options, 1), nullptr);
  write_file(dir / "text.txt", "The bank was closed.\n\nWe sat on it.\n");
  RunListener listener;
  EmbedRequest request;
  request.model.model = (dir / "model").string();
  request.input.files = {(dir / "text.txt").string()};
  request.output = (dir / "vectors").string();
  CHECK(run_embed(request, nullptr, kNeverStop, listener).shards == 1);
  KeepingSink memory;
  CHECK(embed_into(request, memory, kNeverStop, listener).summary->sentences == 2);

  RunReader run(dir / "vectors");
  CHECK(run.sentence_end() == memory.block.sentences.size());
  std::vector<float> stored(memory.block.activations.size());
  run.read_activations({0, run.token_count()}, stored);
  CHECK(stored == memory.block.activations);
}

TEST_CASE("a request is checked before anything is read, and names settings") {
  RunListener listener;
  EmbedRequest request;
  request.input.files = {"missing.txt"};
  CHECK_THROWS_WITH_AS(run_embed(request, nullptr, kNeverStop, listener),
                       doctest::Contains("no output given"), RequestError);
  request.output = "missing";
  request.sample = 10;
  request.embed.pool = PoolOptions{};
  CHECK_THROWS_WITH_AS(run_embed(request, nullptr, kNeverStop, listener),
                       doctest::Contains("sample with pool: "), RequestError);
}

}  // namespace
}  // namespace elmo
