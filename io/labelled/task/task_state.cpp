#include "io/labelled/task/task_state.h"

#include <string>
#include <utility>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/json/json.h"

namespace elmo {

namespace {

Json json_of(const TaskEvaluation& evaluation) {
  return {{"evaluation", evaluation.number},  {"step", evaluation.step},
          {"loss", evaluation.loss},          {"score", evaluation.score},
          {"learning_rate", evaluation.rate}, {"best", evaluation.best},
          {"seconds", evaluation.seconds}};
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
  return {{state.step, state.tokens, {}}, {}, json.dump()};
}

void read_state(const Checkpoint& checkpoint, TaskState& state) {
  state.step = checkpoint.counters.step;
  state.tokens = checkpoint.counters.tokens;
  try {
    const Json json = Json::parse(checkpoint.metadata);
    json.at("rate").get_to(state.rate);
    json.at("loss_sum").get_to(state.loss_sum);
    json.at("loss_steps").get_to(state.loss_steps);
    json.at("since_best").get_to(state.since_best);
    json.at("since_decay").get_to(state.since_decay);
    json.at("seconds").get_to(state.seconds);
    for (const Json& one : json.at("evaluations")) {
      TaskEvaluation evaluation;
      one.at("evaluation").get_to(evaluation.number);
      one.at("step").get_to(evaluation.step);
      one.at("loss").get_to(evaluation.loss);
      one.at("score").get_to(evaluation.score);
      one.at("learning_rate").get_to(evaluation.rate);
      one.at("best").get_to(evaluation.best);
      one.at("seconds").get_to(evaluation.seconds);
      state.evaluations.push_back(evaluation);
    }
  } catch (const Json::exception& error) {
    throw InputError(std::string("the state of the run cannot be read: ") + error.what());
  }
}

void TaskProgressFile::write(std::span<const TaskEvaluation> evaluations) {
  std::string text;
  for (const TaskEvaluation& evaluation : evaluations) text += json_of(evaluation).dump() + '\n';
  replace_file(path_, text);
}

}  // namespace elmo
