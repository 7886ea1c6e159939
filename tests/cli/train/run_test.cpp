#include "cli/train/run.h"

#include <doctest/doctest.h>

#include "cli/common/process.h"
#include "cli/train/work.h"
#include "core/error.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

using namespace elmo;

namespace {

/// A request for two steps on a few sentences in `folder`.
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

TrainingStart small_start() {
  TrainingStart start;
  start.model = small_options();
  start.name = "random";
  return start;
}

TrainingResult train(const TrainRequest& request) {
  RunListener listener;
  SessionListener<BilmLearner> steps;
  return run_training(request, small_start(), std::make_unique<LocalCommunicator>(), listener,
                      steps, kNeverStop);
}

}  // namespace

TEST_CASE("A run trains to the end of its plan, and only --resume continues it") {
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

TEST_CASE("A dry run counts the text and writes nothing") {
  const TempDir folder;
  const TrainRequest request = small_request(folder);
  RunListener listener;
  const DryTraining found = measure_training(request, small_start(), 1, listener);
  CHECK(found.tokens == 280);
  CHECK(found.sentences == 40);
  CHECK(found.distinct_tokens == 6);
  CHECK(found.vocabulary == 9);
  CHECK(found.step_tokens == 8);
  CHECK(found.validation_seconds.has_value());
  CHECK(!std::filesystem::exists(folder / "run"));
  CHECK_THROWS_AS(measure_training(request, small_start(), 2, listener), RequestError);
}

TEST_CASE("The validation text needs a token and a file that can be read again") {
  const TempDir folder;
  TrainRequest request = small_request(folder);
  CHECK_NOTHROW(check_validation(request));
  CHECK(validation_input(request).files == std::vector{request.valid});
  write_file(folder / "empty", "\n");
  request.valid = (folder / "empty").string();
  CHECK_THROWS_AS(check_validation(request), InputError);
}
