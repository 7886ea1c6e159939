#include "cli/commands/task/training.h"

namespace elmo {

TaskRequest task_request(const TaskTrainFlags& flags) {
  TaskRequest request;
  request.files = {flags.train,
                   flags.dev,
                   flags.test,
                   flags.words,
                   flags.data.column,
                   flags.data.locale,
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
