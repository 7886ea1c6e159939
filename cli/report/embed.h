// How a run of `elmo embed` ended, for people.
#pragma once

#include "cli/report/run_report.h"
#include "cli/run/embed_run.h"

namespace elmo {

/// Prints it. That nothing is left of the work is said even where `report` is quiet.
void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report);

}  // namespace elmo
