#include "io/engine/task/train.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/task/evaluation.h"
#include "io/engine/task/prediction.h"
#include "io/files/descriptor.h"
#include "io/labeled/examples.h"
#include "io/tasks/task_folder.h"
#include "tests/io/engine/task/small_task.h"

using namespace elmo;

TEST_CASE("each seed has its model, and the best one becomes the run's") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  request.seeds = {1, 2};
  const std::optional<TaskResult> result = train_small_task(request);
  REQUIRE(result);
  CHECK(result->lock != nullptr);
  REQUIRE(result->outcomes.size() == 2);
  CHECK(result->outcomes[0].seed == 1);
  CHECK(result->outcomes[0].best.score == doctest::Approx(100));
  for (const std::uint64_t seed : request.seeds) {
    CHECK(load_task(seed_folder(request.output, seed)).description.labels.size() == 3);
  }
  CHECK(load_task(request.output).description.labels.size() == 3);
}

TEST_CASE("a run is neither replaced nor continued unless requested") {
  const TempDir folder;
  TaskRequest request = small_task(folder);
  request.session.max_steps = 1;
  CHECK(!train_small_task(request));
  CHECK_THROWS_AS(train_small_task(request), RequestError);
  request.resume = true;
  request.session.max_steps = 0;
  const std::optional<TaskResult> resumed = train_small_task(request);
  REQUIRE(resumed);
  const TempDir other;
  const std::optional<TaskResult> whole = train_small_task(small_task(other));
  CHECK(resumed->outcomes[0].best.loss == whole->outcomes[0].best.loss);
}

TEST_CASE("a dry run counts the data and writes nothing") {
  const TempDir folder;
  const TaskRequest request = small_task(folder);
  const DryTaskTraining found = measure_task_training(request);
  CHECK(found.kind == "tag");
  CHECK(found.examples == 40);
  CHECK(found.tokens == 100);
  CHECK(found.labels == 3);
  CHECK(found.words == 4);
  CHECK(found.steps_per_epoch == 3);
  CHECK(found.features_bytes == 0);
  CHECK(!std::filesystem::exists(folder / "run"));
}
