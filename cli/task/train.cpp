// `elmo task train`: trains a model on labeled data.

#include "cli/task/train.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/task/dry_run.h"
#include "cli/task/options.h"
#include "cli/task/report.h"
#include "cli/task/task.h"
#include "cli/task/train_task.h"
#include "core/error.h"
#include "io/labeled/kinds.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"

namespace elmo {
namespace {

/// Throws RequestError if the model lacks the only layer that `mix` uses.
void check_layer(const MixOptions& mix, std::int64_t layers) {
  if (mix.kind != MixKind::layer || mix.layer <= layers) return;
  throw RequestError("--mix " + std::to_string(mix.layer) + ": the model has the layers 0 to " +
                     std::to_string(layers));
}

ExitCode run_task_train(const TaskTrainFlags& flags) {
  std::optional<LoadedModel> bilm;
  if (flags.options.elmo != ElmoPlace::none) {
    bilm = load_model(flags.features.model);
    check_layer(flags.options.mix, bilm->options.lstm.n_layers);
  }
  const TaskRequest request = task_request(flags);
  if (flags.dry_run) {
    const DryTaskTraining found = measure_task_training(request, std::move(bilm));
    standard_output().write(flags.json ? dry_task_json(found) : dry_task_text(found));
    return kDone;
  }
  TaskReport report(flags.features.quiet, flags.plot);
  const TaskResult result = train_tasks(request, std::move(bilm), report, stop_on_signals());
  report.ended(request.folder, result);
  if (result.end != TaskEnd::completed) return kStopped;
  standard_output().write(flags.json ? outcomes_json(result.outcomes, result.metric)
                                     : outcomes_text(result.outcomes, result.metric));
  return kDone;
}

}  // namespace

void add_task_train(Options& app, Command& chosen) {
  const auto flags = std::make_shared<TaskTrainFlags>();
  Options command = app.add_subcommand("train", "Train a model on labeled data");
  add_task_train_flags(command, *flags);
  command->callback([command, flags, &chosen] {
    check_task_train_flags(*command, *flags);
    chosen = [flags] { return run_task_train(*flags); };
  });
}

namespace {

/// The tokenizer of raw text: `ud` for new text where the labeled data are in tokens.
TokenizerSettings tokenizer_of_task(const TaskTrainFlags& flags) {
  TokenizerRequest request = flags.data.tokenizer;
  if (!task_kind(flags.options.kind).shape.segments) {
    request.tokenizer = kTokenizerKinds.word(TokenizerKind::ud);
  }
  if (flags.options.elmo == ElmoPlace::none) return choose_tokenizer(request);
  return choose_tokenizer(request, locate_model(flags.features.model));
}

}  // namespace

TaskRequest task_request(const TaskTrainFlags& flags) {
  TaskRequest request;
  request.files = {flags.train,
                   flags.dev,
                   flags.test,
                   flags.words,
                   flags.data.column,
                   tokenizer_of_task(flags),
                   flags.data.skip_unanswerable};
  request.options = flags.options;
  request.options.train_words = flags.words.empty() || flags.train_words;
  request.plan = flags.plan;
  request.session = flags.session;
  request.features = {flags.features.precision, flags.features.dtype, flags.features.threads};
  request.features_folder = flags.features.folder;
  request.seeds = flags.seeds;
  request.folder = flags.output;
  request.existing = flags.overwrite ? ExistingRun::replaced
                     : flags.resume  ? ExistingRun::resumed
                                     : ExistingRun::refused;
  return request;
}

}  // namespace elmo
