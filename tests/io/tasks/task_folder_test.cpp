#include "io/tasks/task_folder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "io/train/checkpoint.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TaskDescription some_description() {
  TaskDescription description;
  description.options.elmo = ElmoPlace::both;
  description.options.mix = {MixKind::all, 0, 0.1F, 0.25F, true};
  description.options.bilm = {2, 4};
  description.options.word_columns = 3;
  description.options.character_filters = 2;
  description.options.hidden = 5;
  description.labels = {"O", "B-\xC3\x89\"", "I-\xC3\x89\""};
  description.bilm = "abc";
  description.mixes = {{"input", {0.1F, 0.2F, 0.7F}, 1.25F}, {"output", {0, 0, 1}, -0.5F}};
  return description;
}

TEST_CASE("a description reads back as it was") {
  TaskDescription description = some_description();
  const auto round = [&] { return parse_description(description_text(description), "task.json"); };
  CHECK(description_text(round()) == description_text(description));
  CHECK(round().labels == description.labels);
  CHECK(round().mixes[0].shares == description.mixes[0].shares);
  CHECK(round().options.mix.lambda == 0.1F);
  description.options.mix = {MixKind::layer, 1, 0.0F, 0.0F, false};
  CHECK(round().options.mix.kind == MixKind::layer);
  CHECK(round().options.mix.layer == 1);
  description.options.mix.kind = MixKind::concat;
  description.mixes.clear();
  CHECK(round().options.concatenates());
}

TEST_CASE("the biLM's name is kept if it is known") {
  TaskDescription description = some_description();
  CHECK(bilm_words(description) == "abc");
  CHECK(description_text(description).find("bilm_name") == std::string::npos);
  description.bilm_name = "elmo-tiny-en";
  CHECK(bilm_words(parse_description(description_text(description), "task.json")) ==
        "elmo-tiny-en (abc)");
}

TEST_CASE("impossible descriptions are refused") {
  const std::string good = description_text(some_description());
  const auto refuse = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    REQUIRE(at != std::string::npos);
    bad.replace(at, from.size(), to);
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_description(bad, "task.json"), InputError);
  };
  refuse("\"hidden\": 5", "\"hidden\": 0");
  refuse("\"hidden\": 5", "\"hidden\": -5");
  refuse("\"hidden\": 5", "\"hidden\": 5.5");
  refuse("\"hidden\": 5", "\"hidden\": 99999999999999");
  refuse("\"hidden\": 5", "\"concealed\": 5");
  refuse("\"kind\": \"tag\"", "\"kind\": \"gat\"");
  refuse("\"mix\": \"all\"", "\"mix\": \"3\"");
  refuse("\"version\": 1", "\"version\": 2");
  refuse("\"layer_norm\": true", "\"layer_norm\": 1");
  refuse("\"O\",", "\"O\", \"O\",");
  CHECK_THROWS_AS(parse_description("[]", "task.json"), InputError);
  CHECK_THROWS_AS(parse_description("", "task.json"), InputError);
}

TEST_CASE("impossible mixtures are refused") {
  const std::string good = description_text(some_description());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    REQUIRE(at != std::string::npos);
    bad.replace(at, from.size(), to);
    CAPTURE(bad);
    try {
      parse_description(bad, "task.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const std::string shares = good.substr(good.find("\"shares\": ["));
  const std::string three = shares.substr(0, shares.find(']') + 1);
  CHECK(
      refusal(three, "\"shares\": []") ==
      "task.json: mixes.input.shares is []; expected a share for each of the layers 0 to 2, of sum "
      "1");
  CHECK(refusal(three, "\"shares\": null") ==
        "task.json: mixes.input.shares is null; expected an array of numbers");
  CHECK(refusal(three, "\"shares\": [0, 0, 0]")
            .starts_with("task.json: mixes.input.shares is [0,0,0]; expected"));
  CHECK(refusal(three, "\"shares\": [2, -1, 0]") ==
        "task.json: mixes.input.shares[0] is 2; expected a number from 0 to 1");
  CHECK(refusal("\"bilm_layers\": 2", "\"bilm_layers\": 3")
            .starts_with("task.json: mixes.input.shares is [0.1"));
  CHECK(refusal("\"output\": {", "\"inside\": {") ==
        "task.json: mixes.output is missing; expected an object");
  CHECK(refusal("\"elmo\": \"both\"", "\"elmo\": \"input\"") ==
        "task.json: mixes is an object; expected a mixture for each place that \"elmo\" and "
        "\"mix\" name");
  CHECK(refusal("\"mix\": \"all\"", "\"mix\": \"concat\"")
            .starts_with("task.json: mixes is an object; expected a mixture for each place"));
}

TEST_CASE("a deeply nested description is refused without following it") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_THROWS_WITH_AS(parse_description("{\"format\": " + deep + ", \"version\": 1}", "task.json"),
                       "task.json: nests deeper than 32 levels; expected a task's settings",
                       InputError);
}

TEST_CASE("a folder with only checkpoints holds a run") {
  const TempDir dir;
  CHECK_NOTHROW(check_task_folder(dir.path(), RunMode::create));
  write_checkpoint(dir.path(), {1, 2, {}, {}, "{}"}, {}, 1);
  CHECK_THROWS_AS(check_task_folder(dir.path(), RunMode::create), RequestError);
  CHECK_NOTHROW(check_task_folder(dir.path(), RunMode::resume));
  CHECK_NOTHROW(check_task_folder(dir.path(), RunMode::overwrite));
}

TEST_CASE("a folder without a model is refused, saying what it holds instead") {
  const TempDir dir;
  const auto refuse = [](const std::filesystem::path& folder, const std::string& found) {
    const std::string message = folder.string() + found;
    CHECK_THROWS_WITH_AS(load_task(folder), message.c_str(), InputError);
  };
  const std::string expected =
      "; expected the folder of a trained task model; if its training has not ended, continue it "
      "with task train resume";
  write_file(dir / "file", "");
  refuse(dir / "file", " is a file" + expected);
  refuse(dir / "missing", " is missing" + expected);
  refuse(dir.path(), " has no task.json" + expected);
}

TEST_CASE("a model reads back as it was") {
  const TempDir folder;
  const TaskDescription description = some_description();
  WordVocabulary words;
  words.add("one", true);
  words.add("zwei", false);
  const auto model = description.kind->task.make(description.options, words, description.labels);
  model->initialize(3);
  save_task(folder.path(), description, words, *model);
  const auto check = [&](TaskModel& expected) {
    const LoadedTask task = load_task(folder.path());
    CHECK(description_text(task.description) == description_text(description));
    CHECK(task.words->words() == words.words());
    REQUIRE(task.model->parameters().size() == expected.parameters().size());
    for (std::size_t i = 0; i < expected.parameters().size(); ++i) {
      CHECK(task.model->parameters()[i]->name == expected.parameters()[i]->name);
      CHECK(task.model->parameters()[i]->values == expected.parameters()[i]->values);
    }
  };
  check(*model);
  const std::filesystem::path kept = folder / "kept";
  std::filesystem::create_hard_link(folder / TaskFiles::kWeights, kept);
  save_task(folder.path(), description, words, *model);
  CHECK(std::filesystem::equivalent(folder / TaskFiles::kWeights, kept));  // not written again
  model->initialize(4);
  save_task(folder.path(), description, words, *model);
  CHECK_FALSE(std::filesystem::equivalent(folder / TaskFiles::kWeights, kept));
  check(*model);
  const auto mixes = learned_mixes(description.options, *model);
  REQUIRE(mixes.size() == 2);
  CHECK(mixes[1].place == "output");
  CHECK(mixes[1].shares == std::vector<float>(3, 1.0F / 3));
}

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

TEST_CASE("a task's state survives a checkpoint without losing a bit") {
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

TEST_CASE("the state of another learner is refused") {
  TaskState state;
  for (const char* metadata : {"", "12.5 [1]", "{}", "[]"}) {
    CAPTURE(metadata);
    CHECK_THROWS_AS(read_state({0, 0, {}, {}, metadata}, state), InputError);
  }
}

TEST_CASE("a deeply nested state is refused without following it") {
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  const std::string metadata = "{\"rate\": " + deep + ", \"loss_sum\": 1, \"loss_steps\": 2}";
  TaskState state;
  CHECK_THROWS_WITH_AS(
      read_state({0, 0, {}, {}, metadata}, state),
      "the state of the run: nests deeper than 32 levels; expected that of a task's training",
      InputError);
}

TEST_CASE("evaluations are written as JSON Lines and replace the previous ones") {
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
