// `elmo train`: a model from text alone.
#include "cli/flags/train.h"

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/flags/preset.h"
#include "cli/run/training.h"
#include "cli/run/training_ranks.h"

namespace elmo {
namespace {

struct NewModelFlags {
  PresetFlags model;
  TrainFlags train;
};

ExitCode run_train(NewModelFlags& flags) {
  std::unique_ptr<Communicator> ranks = join_training(flags.train);
  TrainingStart start;
  start.model = model_options(flags.model);
  start.name = "random";
  // What an architecture says of its words is how many there may be.
  if (!start.model.char_cnn && flags.train.vocabulary.empty() &&
      flags.train.limits.max_words == 0) {
    flags.train.limits.max_words = start.model.n_tokens_vocab;
  }
  return run_training(flags.train, std::move(start), std::move(ranks));
}

}  // namespace

void add_train(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<NewModelFlags>();
  CLI::App* command = app.add_subcommand("train", "Train a model from text alone");
  add_preset_flags(command, flags->model);
  add_train_flags(command, flags->train, "0.001 for adam, 0.2 for adagrad");
  command->callback([command, flags, &chosen] {
    check_preset_flags(flags->model);
    check_train_flags(*command, flags->train);
    flags->train.input.written = flags->train.output;
    chosen = [flags] { return run_train(*flags); };
  });
}

}  // namespace elmo
