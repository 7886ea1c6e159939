// The part of `elmo task train` and `elmo task compare` that follows parsing.
#pragma once

#include "cli/task/data.h"
#include "cli/task/options.h"

namespace elmo {

/// Returns the request that the options make.
TaskRequest task_request(const TaskTrainFlags& flags);

}  // namespace elmo
