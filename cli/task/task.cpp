// `elmo task`: models for labeled data, on the layers of a biLM.

#include "cli/task/task.h"

#include "cli/command.h"
#include "cli/common/options.h"

namespace elmo {

void add_task(Options& app, Command& chosen) {
  Options task =
      app.add_subcommand("task", "Train, apply and score task models on a biLM's layers");
  task->require_subcommand();
  add_task_train(*task, chosen);
  add_task_predict(*task, chosen);
  add_task_evaluate(*task, chosen);
  add_task_compare(*task, chosen);
}

}  // namespace elmo
