// The program's kinds of task, each defined beside its model. io/labeled/kinds.h adds the files
// that they read and write.
#pragma once

#include "core/tasks/common/task_kind.h"

namespace elmo {

TaskKind tag_kind();
TaskKind classify_kind();
TaskKind pair_kind();
TaskKind qa_kind();
TaskKind srl_kind();
TaskKind coref_kind();

}  // namespace elmo
