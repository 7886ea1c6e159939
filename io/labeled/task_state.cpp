#include "io/labeled/task_state.h"

#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"

namespace elmo {

namespace {

Json json_of(const TaskEvaluation& evaluation) {
  return {{"evaluation", evaluation.number},  {"step", evaluation.step},
          {"loss", evaluation.loss},          {"score", evaluation.score},
          {"learning_rate", evaluation.rate}, {"best", evaluation.best},
          {"seconds", evaluation.seconds}};
}

/// First bytes of a file of evaluations, as written by json_of().
constexpr std::string_view kBeginning = R"({"evaluation":)";

TaskEvaluation evaluation_of(const JsonNode& json) {
  return {.number = json["evaluation"].count(),
          .step = json["step"].count(),
          .loss = json["loss"].number(),
          .score = json["score"].number(),
          .rate = json["learning_rate"].number(),
          .seconds = json["seconds"].number(),
          .best = json["best"].flag()};
}

}  // namespace

Checkpoint checkpoint_of(const TaskState& state) {
  Json evaluations = Json::array();
  for (const TaskEvaluation& evaluation : state.evaluations) {
    evaluations.push_back(json_of(evaluation));
  }
  const Json json = {{"rate", state.rate},
                     {"loss_sum", state.loss_sum},
                     {"loss_steps", state.loss_steps},
                     {"since_best", state.since_best},
                     {"since_decay", state.since_decay},
                     {"seconds", state.seconds},
                     {"evaluations", evaluations}};
  return {state.step, state.tokens, {}, {}, json.dump()};
}

void read_state(const Checkpoint& checkpoint, TaskState& state) {
  state.step = checkpoint.step;
  state.tokens = checkpoint.tokens;
  const JsonDocument json(checkpoint.metadata, "the state of the run", "that of a task's training");
  state.rate = json["rate"].number();
  state.loss_sum = json["loss_sum"].number();
  state.loss_steps = json["loss_steps"].count();
  state.since_best = json["since_best"].count();
  state.since_decay = json["since_decay"].count();
  state.seconds = json["seconds"].number();
  for (const JsonNode& one : json["evaluations"].elements()) {
    state.evaluations.push_back(evaluation_of(one));
  }
}

void write_task_progress(const std::filesystem::path& path,
                         std::span<const TaskEvaluation> evaluations) {
  std::string text;
  for (const TaskEvaluation& evaluation : evaluations) text += json_of(evaluation).dump() + '\n';
  replace_file(path, text);
}

std::vector<TaskEvaluation> read_task_progress(const std::filesystem::path& path) {
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) throw InputError("there is no file " + path.string());
  std::istringstream file(*text);
  std::vector<TaskEvaluation> evaluations;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const JsonDocument json(line, path.string() + ": line " + std::to_string(number),
                            "an evaluation of a task's training");
    evaluations.push_back(evaluation_of(json.root()));
  }
  return evaluations;
}

bool holds_task_progress(const std::filesystem::path& path) {
  return is_there(path) && read_head(path, kBeginning.size()) == kBeginning;
}

}  // namespace elmo
