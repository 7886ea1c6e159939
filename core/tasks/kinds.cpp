#include "core/tasks/kinds.h"

#include <algorithm>
#include <array>

namespace elmo {

std::span<const TaskKindEntry> task_kinds() {
  // In the order of TaskKind.
  static const std::array kinds = {tag_kind(), classify_kind(), pair_kind(),
                                   qa_kind(),  srl_kind(),      coref_kind()};
  return kinds;
}

const TaskKindEntry& task_kind(TaskKind kind) {
  return task_kinds()[static_cast<std::size_t>(kind)];
}

const TaskKindEntry* task_kind(std::string_view name) {
  const auto found = std::ranges::find(task_kinds(), name, &TaskKindEntry::name);
  return found == task_kinds().end() ? nullptr : &*found;
}

}  // namespace elmo
