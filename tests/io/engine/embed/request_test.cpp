#include "io/engine/embed/request.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

namespace elmo {
namespace {

EmbedRequest into_shards() {
  EmbedRequest request;
  request.output = "missing/run";
  request.given = {"--output"};
  return request;
}

std::string problem_of(const EmbedRequest& request) {
  try {
    validate(request);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A request needs an output unless it is a dry run") {
  EmbedRequest request;
  CHECK(problem_of(request).find("no output given") == 0);
  request.dry_run = true;
  CHECK(problem_of(request).empty());
  CHECK(problem_of(into_shards()).empty());
}

TEST_CASE("Options that exclude each other are named") {
  EmbedRequest request = into_shards();
  request.sample = 10;
  request.pool = PoolKind::mean;
  request.given.insert({"--sample", "--pool"});
  CHECK(problem_of(request).find("--sample with --pool: ") == 0);
}

TEST_CASE("A carried state needs the whole text") {
  EmbedRequest request = into_shards();
  request.embed.initial_state = InitialState::carry;
  CHECK(problem_of(request).empty());
  request.sample = 10;
  request.given.insert("--sample");
  CHECK(problem_of(request).find("--sample with --initial-state carry") == 0);
  request.sample = 0;
  request.parts = 2;
  request.given = {"--output", "--parts", "--part"};
  CHECK(problem_of(request).find("--initial-state carry hands") == 0);
}

TEST_CASE("The options decide the output, its dtype and what is read") {
  EmbedRequest request = into_shards();
  request.dtype = Dtype::float16;
  CHECK(output_of(request) == EmbedOutput::shards);
  CHECK(computing(request).value_bytes == 2);
  request.parts = 4;
  request.part = 3;
  request.pool = PoolKind::max;
  request.pool_by = PoolUnit::document;
  const InputOptions input = reading(request);
  REQUIRE(input.part);
  CHECK(input.whole_documents);
  CHECK(computing(request).pool->kind == PoolKind::max);

  request.layout = EmbedLayout::allennlp;
  CHECK(output_of(request) == EmbedOutput::allennlp);
  CHECK(output_dtype(request) == Dtype::float32);
  CHECK(reading(request).keep_lines);
}

TEST_CASE("Word averages have the format of the file's name") {
  EmbedRequest request = into_shards();
  request.average_words = true;
  CHECK_THROWS_AS(word_format(request), RequestError);
  request.output = "words.bin";
  CHECK(word_format(request) == WordVectorFormat::binary);
  request.format = EmbedFormat::word2vec_text;
  CHECK(word_format(request) == WordVectorFormat::text);
}

TEST_CASE("Words are listed once, in order") {
  EmbedRequest request = into_shards();
  CHECK(!token_query(request));
  request.words = "the,of,the";
  const std::optional<TokenQuery> query = token_query(request);
  REQUIRE(query);
  CHECK(query->words == std::vector<std::string>{"of", "the"});
  request.words = "the,,of";
  CHECK_THROWS_AS(token_query(request), RequestError);
}

}  // namespace
}  // namespace elmo
