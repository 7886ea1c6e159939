// The kinds of task that the program knows, each defined beside its model. io/labeled/kinds.h adds
// what they read and write.
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
