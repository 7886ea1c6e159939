// The kinds of task.
//
// To add a kind, write a unit with its model and a function that returns its entry, name the kind
// in TaskKind, declare the function here and add the entry to the table in kinds.cpp. The command
// line, the readers of examples (io/labeled/kinds.h) and task.json use this table.
#pragma once

#include <span>
#include <string_view>

#include "core/tasks/common/task_kind.h"

namespace elmo {

/// All kinds, in the order in which users see them. Any thread.
std::span<const TaskKindEntry> task_kinds();

/// The entry of a kind. Any thread.
const TaskKindEntry& task_kind(TaskKind kind);

/// The kind with that name, or null. Any thread.
const TaskKindEntry* task_kind(std::string_view name);

/// The entries for the table, each defined beside its model.
TaskKindEntry tag_kind();
TaskKindEntry classify_kind();
TaskKindEntry pair_kind();
TaskKindEntry qa_kind();
TaskKindEntry srl_kind();
TaskKindEntry coref_kind();

}  // namespace elmo
