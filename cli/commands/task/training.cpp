#include "cli/commands/task/training.h"

#include "io/model/tokenizer_choice.h"

namespace elmo {

TaskRequest task_request(const TaskTrainFlags& flags) {
  TaskRequest request;
  const TokenizerRequest& tokenizer = flags.data.tokenizer;
  request.files = {flags.train,
                   flags.dev,
                   flags.test,
                   flags.words,
                   flags.data.column,
                   flags.options.elmo == ElmoPlace::none
                       ? choose_tokenizer(tokenizer)
                       : choose_tokenizer(tokenizer, locate_model(flags.features.model)),
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
