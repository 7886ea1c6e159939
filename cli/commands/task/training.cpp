#include "cli/commands/task/training.h"

#include "io/labeled/kinds.h"
#include "io/model/tokenizer_choice.h"

namespace elmo {
namespace {

/// The tokenizer of raw text: `ud` for new text where the labeled data are in tokens.
TokenizerSettings tokenizer_of_task(const TaskTrainFlags& flags) {
  TokenizerRequest request = flags.data.tokenizer;
  if (!task_file_kind(flags.options.kind).segments) {
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
