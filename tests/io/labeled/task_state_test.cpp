#include "io/labeled/task_state.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "io/train/checkpoint.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TaskState task_state() {
  TaskState state;
  state.step = 42;
  state.tokens = 1234;
  state.rate = 0.1;
  state.loss_sum = 1.0 / 3.0;
  state.loss_steps = 2;
  state.since_best = 1;
  state.since_decay = 3;
  state.seconds = 2.5;
  state.evaluations = {{1, 20, 0.75, 50.125, 0.1, 1.0, true}, {2, 40, 0.5, 50.0, 0.1, 2.0, false}};
  return state;
}

TEST_CASE("a task's state goes through the newest checkpoint of its run without losing a bit") {
  const TempDir dir;
  std::vector<float> values{1.0F, 2.0F};
  const std::vector<StateArray> arrays{{"parameters/W", {2}, values}};
  RunCheckpoints<TaskState> checkpoints(dir.path(), {{"seed", "1"}}, 1);
  CHECK_FALSE(checkpoints.restore(arrays));
  TaskState state = task_state();
  state.step = 41;
  checkpoints.write(state, arrays);
  values[0] = 3.0F;
  state = task_state();
  checkpoints.write(state, arrays);
  CHECK(find_checkpoints(dir.path()).size() == 1);
  values = {0.0F, 0.0F};
  const std::optional<TaskState> read = checkpoints.restore(arrays);
  REQUIRE(read);
  CHECK(values == std::vector<float>{3.0F, 2.0F});
  CHECK(checkpoint_of(*read).metadata == checkpoint_of(state).metadata);
  CHECK(read->step == 42);
  CHECK(read->tokens == 1234);
  CHECK(read->loss_sum == state.loss_sum);
  REQUIRE(read->evaluations.size() == 2);
  CHECK(read->evaluations[1].score == 50.0);
  CHECK(read->evaluations[0].best);
}

TEST_CASE("a state that is no task's is refused") {
  TaskState state;
  for (const char* metadata : {"", "12.5 [1]", "{}", "[]"}) {
    CAPTURE(metadata);
    CHECK_THROWS_AS(read_state({0, 0, {}, {}, metadata}, state), InputError);
  }
}

TEST_CASE("a state that nests deeply is refused, without going down it") {
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  const std::string metadata = "{\"rate\": " + deep + ", \"loss_sum\": 1, \"loss_steps\": 2}";
  TaskState state;
  CHECK_THROWS_WITH_AS(
      read_state({0, 0, {}, {}, metadata}, state),
      "the state of the run: nests deeper than 32 levels; expected that of a task's training",
      InputError);
}

TEST_CASE("evaluations are written as JSON Lines, in place of those before") {
  const TempDir dir;
  write_task_progress(dir / "progress.jsonl", task_state().evaluations);
  const TaskState state = task_state();
  write_task_progress(dir / "progress.jsonl", std::span(state.evaluations).first(1));
  CHECK(content_of(dir / "progress.jsonl") ==
        "{\"evaluation\":1,\"step\":20,\"loss\":0.75,\"score\":50.125,\"learning_rate\":0.1,"
        "\"best\":true,\"seconds\":1.0}\n");
}

}  // namespace
}  // namespace elmo
