// The outcome of `elmo embed`, and the tables of a dry run: cost by layers, dtype and precision.
#pragma once

#include <string>

#include "cli/common/reporter.h"
#include "io/engine/embed/dry_run.h"
#include "io/engine/embed/run.h"

namespace elmo {

/// Prints the outcome. If the output could not be kept, says so even if `report` is quiet.
void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report);

/// Notes that the output will be a folder if its name is that of a single file.
void note_folder(const EmbedRequest& request, RunReport& report);

/// The plan for people: counts, bytes and minutes, a table of shard sizes by layers and dtype, and
/// a table of times by precision.
std::string plan_text(const RunPlan& plan);
/// The plan as JSON.
std::string plan_json(const RunPlan& plan);

}  // namespace elmo
