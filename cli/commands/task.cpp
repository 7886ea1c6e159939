// `elmo task`: models for labeled data, on the layers of a biLM.
#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/commands/task/commands.h"

namespace elmo {

void add_task(CLI::App& app, Command& chosen) {
  CLI::App* task =
      app.add_subcommand("task", "Train, apply and score task models on a biLM's layers");
  task->require_subcommand(1);
  add_task_train(*task, chosen);
  add_task_predict(*task, chosen);
  add_task_evaluate(*task, chosen);
  add_task_compare(*task, chosen);
}

}  // namespace elmo
