// The subcommands of `elmo task`.
#pragma once

#include "cli/command.h"

namespace elmo {

void add_task_train(Options& app, Command& chosen);
void add_task_predict(Options& app, Command& chosen);
void add_task_evaluate(Options& app, Command& chosen);
void add_task_compare(Options& app, Command& chosen);

}  // namespace elmo
