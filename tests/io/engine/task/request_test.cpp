#include "io/engine/task/request.h"

#include <doctest/doctest.h>

#include "core/error.h"

using namespace elmo;

namespace {

std::string problem_of(const TaskRequest& request) {
  try {
    validate(request);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Options of the biLM have no effect without it") {
  TaskRequest request;
  request.output = "run";
  request.given = {"--mix", "--lambda"};
  CHECK(problem_of(request) == "");
  request.options.mix.kind = MixKind::top;
  CHECK(problem_of(request) == "--lambda makes sense only with --mix all");
  request.options.elmo = ElmoPlace::none;
  CHECK(problem_of(request) == "--mix makes sense only with --elmo input, output or both");
}

TEST_CASE("Options of the data have no effect on some kinds") {
  TaskRequest request;
  request.output = "run";
  request.given = {"--column"};
  CHECK(problem_of(request) == "");
  request.options.kind = TaskKind::pair;
  CHECK(problem_of(request) == "--column makes sense only with --kind tag");
  request.given = {"--label-weights"};
  CHECK(problem_of(request) == "");
  request.given = {"--skip-unanswerable"};
  CHECK(problem_of(request) == "--skip-unanswerable makes sense only with --kind qa");
  request.options.kind = TaskKind::tag;
  request.given = {"--label-weights"};
  CHECK(problem_of(request) == "--label-weights makes sense only with --kind classify, pair");
}

TEST_CASE("A task needs an output unless nothing is written") {
  TaskRequest request;
  CHECK(problem_of(request) == "--output is required");
  request.dry_run = true;
  CHECK(problem_of(request) == "");
  request.overwrite = true;
  CHECK(problem_of(request).find("--dry-run") != std::string::npos);
}

TEST_CASE("Word vectors are trained unless they are read") {
  TaskRequest request;
  request.options.elmo = ElmoPlace::none;
  CHECK(!task_bilm(request));
  CHECK(request.options.train_words);
  CHECK(request.text_tokenizer.kind == TokenizerKind::ud);
  request.words = "vectors.txt";
  task_bilm(request);
  CHECK(!request.options.train_words);
  CHECK(request.all_seeds() == std::vector<std::uint64_t>{0});
  request.seeds = {3, 5};
  CHECK(request.all_seeds() == request.seeds);
}
