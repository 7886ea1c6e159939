// `elmo finetune`: a model continues learning, from other text.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/common/input_notes.h"
#include "cli/common/model_request.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "cli/common/reporter.h"
#include "cli/train/command.h"
#include "cli/train/options.h"
#include "core/error.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

constexpr float kDefaultEpochs = 3.0F;
// The learning rate of a model with its softmax. Compared with Adam's 0.001, the model learns 88 to
// 90 % as much of the new text and forgets 49 to 72 % as much of the old text; see TRAINING.md.
constexpr float kAdamRate = 3e-4F;

struct FinetuneFlags {
  std::string model;
  bool new_vocabulary = false;
  TrainFlags train;
};

ExitCode run_finetune(const FinetuneFlags& flags) {
  JoinedRanks joined = join_training();
  const std::filesystem::path path = model_path(flags.model);
  require_other_folder(flags.train.output, path);
  const ModelLocation location = locate_model(path);
  require_trainable(flags.model, location);
  LoadedModel model = load_model(location);
  RunReport report(flags.train.quiet || !joined.leads());
  TrainingRequest request = training_request(flags.train, joined.threads);
  request.input.tokenizer = choose_tokenizer(request.input.request, location);
  note_tokenizer(report, model, request.input);
  std::optional<SoftmaxLayer> softmax = read_softmax(location, model.options);
  const bool continued = softmax && !flags.new_vocabulary;
  if (continued && flags.train.plan.softmax_steps) {
    throw RequestError("--softmax-steps makes sense only with a new softmax, and " + flags.model +
                       " has one; --new-vocab asks for a new one");
  }
  if (!model.options.char_cnn && !model.lexicon.words) {
    throw InputError(flags.model +
                     ": lacks vocab.txt; expected it beside the weights, for this is a word-level "
                     "model");
  }
  if (continued) request.plan.adam_rate = kAdamRate;
  return train_and_report(
      flags.train, request,
      {model.options, model.parameters.to_parameters(), std::move(model.lexicon.words),
       std::move(softmax), flags.new_vocabulary, true, "model " + model.fingerprint},
      std::move(joined));
}

}  // namespace

void add_finetune(Options& app, Command& chosen) {
  const auto flags = std::make_shared<FinetuneFlags>();
  Options command = app.add_subcommand("finetune", "Train a model further on new text");
  command
      ->add_option("--model", flags->model,
                   "Model to start from: a folder, a zip archive or an installed model")
      ->type_name("PATH")
      ->required();
  command->add_flag(
      "--new-vocab", flags->new_vocabulary,
      "Make a new vocabulary from the text, with its tokenizer; words that the old one "
      "has, the character CNN and LSTMs continue. Implied by --vocab, --min-count and "
      "--max-vocab");
  flags->train.plan.epochs = kDefaultEpochs;
  add_train_flags(command, flags->train, "adam: 0.0003, 0.001 with a new softmax; adagrad: 0.2");
  add_steps(
      command, "--softmax-steps", flags->train.plan.softmax_steps,
      "Steps that train only a new softmax first, if the model has none or gets a new vocabulary")
      ->default_str("a quarter of all steps");
  command->callback([command, flags, &chosen] {
    check_train_flags(*command, flags->train);
    for (const char* option : {"--vocab", "--min-count", "--max-vocab"}) {
      if (command->count(option) > 0) flags->new_vocabulary = true;
    }
    chosen = [flags] { return run_finetune(*flags); };
  });
}

}  // namespace elmo
