#include "cli/embed/request.h"

#include <doctest/doctest.h>

#include <string>

#include "cli/common/reporter.h"
#include "core/error.h"

namespace elmo {
namespace {

EmbedFlags into_shards() {
  EmbedFlags flags;
  flags.request.output = "missing/run";
  flags.given = {"--output"};
  return flags;
}

std::string problem_of(const EmbedFlags& flags) {
  try {
    validate(request_of(flags));
  } catch (const RequestError& error) {
    return text_of(error.message());
  }
  return "";
}

TEST_CASE("options that exclude each other are named") {
  EmbedFlags flags = into_shards();
  CHECK(problem_of(flags).empty());
  flags.request.sample = 10;
  flags.pool = PoolKind::mean;
  flags.given.insert({"--sample", "--pool"});
  CHECK(problem_of(flags).find("--sample with --pool: ") == 0);
}

TEST_CASE("carried state requires the whole text") {
  EmbedFlags flags = into_shards();
  flags.request.embed.initial_state = InitialState::carry;
  CHECK(problem_of(flags).empty());
  flags.request.sample = 10;
  flags.given.insert("--sample");
  CHECK(problem_of(flags).find("--sample with --initial-state carry") == 0);
  flags.request.sample = 0;
  flags.parts = 2;
  flags.given = {"--output", "--parts", "--part"};
  CHECK(problem_of(flags).find("--initial-state carry hands") == 0);
}

TEST_CASE("options determine the output, its dtype and the reading of the input") {
  EmbedFlags flags = into_shards();
  flags.request.dtype = Dtype::float16;
  CHECK(request_of(flags).format->is_shards());
  CHECK(output_dtype(request_of(flags)) == Dtype::float16);
  flags.parts = 4;
  flags.part = 3;
  flags.pool = PoolKind::max;
  flags.pool_by = PoolUnit::document;
  const EmbedRequest request = request_of(flags);
  const InputOptions input = reading(request);
  REQUIRE(input.part);
  CHECK(input.whole_documents);
  CHECK(request.embed.pool->kind == PoolKind::max);

  EmbedFlags allennlp = into_shards();
  allennlp.layout = "allennlp";
  CHECK(request_of(allennlp).format->name == "allennlp");
  CHECK(output_dtype(request_of(allennlp)) == Dtype::float32);
  CHECK(reading(request_of(allennlp)).keep_lines);
  allennlp.request.dtype = Dtype::float16;
  CHECK(output_dtype(request_of(allennlp)) == Dtype::float16);
  allennlp.request.dtype = Dtype::int8;
  CHECK_THROWS_WITH_AS(request_of(allennlp), doctest::Contains("float32 or float16"), RequestError);
}

TEST_CASE("the format of word averages follows the file name") {
  EmbedFlags flags = into_shards();
  flags.average_words = true;
  CHECK_THROWS_AS(request_of(flags), RequestError);
  flags.request.output = "words.bin";
  CHECK(request_of(flags).format->name == "word2vec-binary");
  flags.format = "word2vec-text";
  CHECK(request_of(flags).format->name == "word2vec-text");
}

TEST_CASE("words are listed once, in order") {
  EmbedRequest request;
  CHECK(!reading(request).query);
  request.words = "the,of,the";
  REQUIRE(reading(request).query);
  CHECK(reading(request).query->words == std::vector<std::string>{"of", "the"});
  request.words = "the,,of";
  CHECK_THROWS_AS(reading(request), RequestError);
}

}  // namespace
}  // namespace elmo
