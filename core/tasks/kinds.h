// The kinds of task.
//
// A kind is a folder beside this file: its model, and a function that gives its entry of the table.
// To add one, write the folder, name the kind in TaskKind and put its entry into the table of
// kinds.cpp. The command line, files of labeled data and task.json go by the table.
#pragma once

#include <span>
#include <string_view>

#include "core/tasks/common/task_kind.h"

namespace elmo {

/// All kinds, in the order in which people see them. Any thread.
std::span<const TaskKindEntry> task_kinds();

/// The entry of a kind. Any thread.
const TaskKindEntry& task_kind(TaskKind kind);

/// The kind of that name; null where there is none. Any thread.
const TaskKindEntry* task_kind(std::string_view name);

}  // namespace elmo
