// The table of kinds.
#include "core/tasks/kinds.h"

#include <doctest/doctest.h>

#include <string>

namespace elmo {

TEST_CASE("each kind has an entry under its number and its name") {
  CHECK(task_kinds().size() == 6);
  for (const TaskKindEntry& entry : task_kinds()) {
    CHECK(task_kind(entry.kind).kind == entry.kind);
    CHECK(task_kind(std::string_view(entry.name)) == &entry);
    CHECK(entry.max_labels >= kMaxLabels / 10);
    CHECK(entry.defaults.batch > 0);
  }
  CHECK(task_kind("Tag") == nullptr);
}

}  // namespace elmo
