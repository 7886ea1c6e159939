// What people see of a dry run of training a task model.
#pragma once

#include <string>

#include "cli/run/task/dry_run.h"

namespace elmo {

std::string dry_task_text(const DryTaskTraining& found);

/// The members of `found` by their names.
std::string dry_task_json(const DryTaskTraining& found);

}  // namespace elmo
