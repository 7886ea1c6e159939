// Joins the parts of a run under one index.
#pragma once

#include <cstdint>
#include <string>

#include "io/engine/listener.h"

namespace elmo {

struct MergeRequest {
  std::string folder;  ///< of all parts
  bool quiet = false;
};

/// The contents of the joined run.
struct MergeOutcome {
  std::uint64_t parts = 0;
  std::uint64_t shards = 0;
  std::uint64_t tokens = 0;
  std::uint64_t sentences = 0;
};

/// Joins the parts in the folder. Errors: as PartMerge; InputError, naming the parts that are
/// missing or incomplete.
MergeOutcome run_merge(const MergeRequest& request, RunListener& listener);

}  // namespace elmo
