// `elmo task`: models for labelled data, on the layers of a biLM.
#include "cli/flags/task.h"

#include <CLI/App.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/commands/task/commands.h"
#include "cli/commands/task/train.h"

namespace elmo {
namespace {

void add_task_train(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<TaskTrainFlags>();
  CLI::App* command = app.add_subcommand("train", "Train a model on labelled data");
  add_task_train_flags(command, *flags);
  command->callback([command, flags, &chosen] {
    check_task_train_flags(*command, *flags);
    chosen = [flags] { return run_task_train(*flags); };
  });
}

}  // namespace

void add_task(CLI::App& app, Command& chosen) {
  CLI::App* task =
      app.add_subcommand("task", "Train models for labelled data on the layers of a biLM");
  task->require_subcommand(1);
  add_task_train(*task, chosen);
  add_task_predict(*task, chosen);
  add_task_evaluate(*task, chosen);
  add_task_compare(*task, chosen);
}

}  // namespace elmo
