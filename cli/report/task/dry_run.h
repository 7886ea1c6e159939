// Reports of a dry run of `elmo task train`.
#pragma once

#include <string>

#include "cli/run/task/dry_run.h"

namespace elmo {

std::string dry_task_text(const DryTaskTraining& found);

/// A JSON object with the members of `found`.
std::string dry_task_json(const DryTaskTraining& found);

}  // namespace elmo
