// The outcome of `elmo embed`, for people.
#pragma once

#include "cli/report/run_report.h"
#include "cli/run/embed_run.h"

namespace elmo {

/// Prints the outcome. If the output could not be kept, says so even if `report` is quiet.
void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report);

}  // namespace elmo
