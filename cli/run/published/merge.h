// The parts of a run joined under one index.
#pragma once

#include <cstdint>
#include <string>

#include "cli/run/listener.h"

namespace elmo {

/// What the joined run holds.
struct MergeOutcome {
  std::uint64_t parts = 0;
  std::uint64_t shards = 0;
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
};

/// Joins the parts in `folder`. Errors: as PartMerge; InputError that names the parts that are
/// missing or have not ended.
MergeOutcome run_merge(const std::string& folder, RunListener& listener);

}  // namespace elmo
