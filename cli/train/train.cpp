// `elmo train`: a model from text alone.
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/train/command.h"
#include "cli/train/options.h"
#include "io/model/tokenizer.h"

namespace elmo {
namespace {

struct NewModelFlags {
  PresetFlags model;
  TrainFlags train;
};

ExitCode run_train(const NewModelFlags& flags) {
  JoinedRanks joined = join_training();
  TrainingRequest request = training_request(flags.train, joined.threads);
  request.input.tokenizer = choose_tokenizer(request.input.request);
  TrainingStart start;
  start.model = model_options(flags.model);
  start.name = "random";
  // n_tokens_vocab of an architecture is the maximum number of words.
  auto* limits = std::get_if<VocabularyLimits>(&request.vocabulary);
  if (!start.model.char_cnn && limits != nullptr && limits->max_words == 0) {
    limits->max_words = start.model.n_tokens_vocab;
  }
  return train_and_report(flags.train, request, std::move(start), std::move(joined));
}

}  // namespace

void add_train(Options& app, Command& chosen) {
  const auto flags = std::make_shared<NewModelFlags>();
  Options command = app.add_subcommand("train", "Train a model on raw text");
  add_preset_flags(command, flags->model);
  add_train_flags(command, flags->train, "adam: 0.001; adagrad: 0.2");
  command->callback([command, flags, &chosen] {
    check_preset_flags(flags->model);
    check_train_flags(*command, flags->train);
    chosen = [flags] { return run_train(*flags); };
  });
}

}  // namespace elmo
