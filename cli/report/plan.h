// What a run would take, by what is chosen: the tables of a dry run.
#pragma once

#include <cstdint>
#include <string>

#include "cli/run/dry_run.h"

namespace elmo {

/// Number of parts of about half an hour each to divide this many seconds into; 1 where they are
/// too few for two.
std::uint64_t wise_parts(double seconds);

/// The plan for people: counts, bytes and minutes, and tables of what shards of other layers and
/// numbers would take, and other precisions.
std::string plan_text(const RunPlan& plan);
/// The plan as JSON.
std::string plan_json(const RunPlan& plan);

}  // namespace elmo
