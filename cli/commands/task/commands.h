// The subcommands of `elmo task`.
#pragma once

#include "cli/command.h"

namespace elmo {

void add_task_train(CLI::App& app, Command& chosen);
void add_task_predict(CLI::App& app, Command& chosen);
void add_task_evaluate(CLI::App& app, Command& chosen);
void add_task_compare(CLI::App& app, Command& chosen);

}  // namespace elmo
