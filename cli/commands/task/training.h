// The part of `elmo task train` and `elmo task compare` that follows parsing.
#pragma once

#include "cli/flags/task.h"
#include "cli/run/task/request.h"

namespace elmo {

/// Returns the request that the options make.
TaskRequest task_request(const TaskTrainFlags& flags);

}  // namespace elmo
