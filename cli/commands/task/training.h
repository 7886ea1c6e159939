// What `elmo task train` and `elmo task compare` have in common once their options are known.
#pragma once

#include "cli/flags/task.h"
#include "cli/run/task/request.h"

namespace elmo {

/// What the options ask to be trained.
TaskRequest task_request(const TaskTrainFlags& flags);

}  // namespace elmo
