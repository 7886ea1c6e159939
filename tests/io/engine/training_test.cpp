#include "io/engine/training.h"

#include <doctest/doctest.h>

#include <array>
#include <span>

#include "core/error.h"
#include "io/engine/listener.h"
#include "io/engine/training_work.h"
#include "io/train/run_folder.h"
#include "tests/core/train/rank_threads.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

namespace {

/// Returns a request for two steps on a few sentences in `folder`.
TrainRequest small_request(const TempDir& folder) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "the rain falls on the sea .\n";
  write_file(folder / "text", text);
  TrainRequest request;
  request.input.files = {(folder / "text").string()};
  request.input.format = InputFormat::tokens;
  request.valid = request.input.files.front();
  request.output = (folder / "run").string();
  request.training.lanes = 2;
  request.training.unroll = 4;
  request.training.threads = 1;
  request.plan.steps = 2;
  return request;
}

TrainingStart small_start(const TrainRequest& request) {
  TrainingStart start;
  start.reading = request.input;
  start.plan = request.plan;
  start.model = small_options();
  start.name = "random";
  return start;
}

TrainingResult train(const TrainRequest& request) {
  RunListener listener;
  SessionListener<BilmLearner> steps;
  return run_training(request, small_start(request), std::make_unique<LocalCommunicator>(),
                      listener, steps, kNeverStop);
}

}  // namespace

TEST_CASE("a run trains to the end of its plan, and only resume continues it") {
  const TempDir folder;
  TrainRequest request = small_request(folder);
  request.session.max_steps = 1;
  const TrainingResult stopped = train(request);
  CHECK(stopped.stopped());
  CHECK(stopped.step == 1);
  CHECK_THROWS_AS(train(request), RequestError);
  request.resume = true;
  request.session.max_steps = 0;
  const TrainingResult result = train(request);
  CHECK(!result.stopped());
  CHECK(result.step == 2);
  CHECK(result.total_steps == 2);
  CHECK(*train(request).end == SessionEnd::was_complete);
  CHECK(std::filesystem::exists(folder / "run" / "options.json"));
}

TEST_CASE("ranks train one model, which rank 0 writes") {
  const TempDir folder;
  const TrainRequest request = small_request(folder);
  Meeting meeting(2);
  std::array<TrainingResult, 2> results;
  run_ranks(2, [&](int rank) {
    RunListener listener;
    SessionListener<BilmLearner> steps;
    results[static_cast<std::size_t>(rank)] = run_training(
        request, small_start(request), std::make_unique<ThreadCommunicator>(meeting, rank),
        listener, steps, kNeverStop);
  });
  CHECK(*results[0].end == SessionEnd::completed);
  CHECK(*results[1].end == SessionEnd::completed);
  CHECK(results[0].step == 2);
  CHECK(results[1].step == 0);
}

TEST_CASE("a rank whose settings differ from rank 0's is refused") {
  const TempDir folder;
  const TrainRequest request = small_request(folder);
  RunListener listener;
  std::filesystem::create_directory(request.output);
  const std::optional<EncodedCorpus> encoded =
      encoded_corpus(request, request.input, folder / "run" / kCorpusFile, listener, kNeverStop);
  REQUIRE(encoded);
  Meeting meeting(2);
  std::string error;
  run_ranks(2, [&](int rank) {
    auto ranks = std::make_unique<ThreadCommunicator>(meeting, rank);
    if (rank == 0) {  // rank 0 names the file of the text, and its settings
      for (std::string text :
           {encoded->path().string(), std::string("seed\0of rank 0\0words\0\0", 22)}) {
        std::array<std::uint64_t, 1> size{text.size()};
        broadcast(*ranks, std::span<std::uint64_t>(size));
        broadcast(*ranks, std::span<char>(text));
      }
      std::array<double, 1> different{};
      ranks->sum(std::span<double>(different));
      CHECK(different[0] == 1.0);
      return;
    }
    SessionListener<BilmLearner> steps;
    try {
      run_training(request, small_start(request), std::move(ranks), listener, steps, kNeverStop);
    } catch (const RequestError& refused) {
      error = refused.what();
    }
  });
  CHECK_MESSAGE(error.find("found other settings than rank 0's: ") == 0, error);
  CHECK_MESSAGE(error.find("of rank 0") != std::string::npos, error);
}

TEST_CASE("a dry run counts the text and writes nothing") {
  const TempDir folder;
  const TrainRequest request = small_request(folder);
  RunListener listener;
  const DryTraining found = measure_training(request, small_start(request), listener);
  CHECK(found.tokens == 280);
  CHECK(found.sentences == 40);
  CHECK(found.distinct_tokens == 6);
  CHECK(found.vocabulary == 9);
  CHECK(found.step_tokens == 8);
  CHECK(found.validation_seconds.has_value());
  CHECK(!std::filesystem::exists(folder / "run"));
}

TEST_CASE("the validation text requires a token and a file that can be read again") {
  const TempDir folder;
  TrainRequest request = small_request(folder);
  CHECK_NOTHROW(check_validation(request, request.input));
  CHECK(validation_input(request, request.input).files == std::vector{request.valid});
  write_file(folder / "empty", "\n");
  request.valid = (folder / "empty").string();
  CHECK_THROWS_AS(check_validation(request, request.input), InputError);
  request.valid = "-";
  CHECK_THROWS_WITH_AS(
      check_validation(request, request.input),
      "valid: found standard input; expected a file, because it is read many times", RequestError);
}
