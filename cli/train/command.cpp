#include "cli/train/command.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/train/dry_run.h"
#include "cli/train/report.h"
#include "cli/train/run.h"
#include "core/error.h"
#include "io/mpi/ranks.h"

namespace elmo {
namespace {

ExitCode dry_run(const TrainFlags& flags, const TrainingRequest& request, TrainingStart start,
                 int ranks) {
  if (ranks > 1) {
    throw RequestError("--dry-run measures one process; found " + std::to_string(ranks) + " ranks");
  }
  std::optional<DryValidation> valid;
  if (!flags.valid.empty()) {
    valid = {flags.valid, flags.validation.every, flags.validation.tokens};
  }
  RunReport report(flags.quiet);
  const DryTraining found = measure_training(request, std::move(start), valid, report);
  standard_output().write(flags.json ? dry_training_json(found) : dry_training_text(found));
  return kDone;
}

TrainingRun training_run(const TrainFlags& flags) {
  TrainingRun run{flags.output,
                  flags.overwrite ? ExistingRun::replaced
                  : flags.resume  ? ExistingRun::resumed
                                  : ExistingRun::refused,
                  flags.valid,
                  flags.session,
                  flags.validation,
                  flags.keep,
                  flags.dtype};
  run.session.max_seconds = 60.0 * static_cast<double>(flags.max_minutes);
  return run;
}

TrainingResult trained(const TrainFlags& flags, const TrainingRequest& request, TrainingStart start,
                       std::unique_ptr<Communicator> ranks, TrainingReport& report) {
  try {
    return run_training(request, training_run(flags), std::move(start), std::move(ranks), report,
                        stop_on_signals());
  } catch (const NumericError& error) {
    throw NumericError(message_of(error) + report.after_numbers());
  } catch (const SystemError& error) {
    throw SystemError(message_of(error) + report.after_failure());
  }
}

}  // namespace

JoinedRanks join_training() {
  JoinedRanks joined{join_ranks()};
  joined.threads = threads_of_rank();
  return joined;
}

TrainingRequest training_request(const TrainFlags& flags, int threads) {
  TrainingRequest request{flags.input, flags.limits, flags.training, flags.plan};
  request.input.written = flags.output;
  if (!flags.vocabulary.empty()) request.vocabulary = std::filesystem::path(flags.vocabulary);
  if (request.training.threads == 0) request.training.threads = threads;
  return request;
}

ExitCode train_and_report(const TrainFlags& flags, const TrainingRequest& request,
                          TrainingStart start, JoinedRanks joined) {
  if (flags.dry_run) {
    const ExitCode code = dry_run(flags, request, std::move(start), joined.ranks->size());
    leave_ranks();
    return code;
  }
  TrainingReport report(flags.quiet || !joined.leads(), flags.output, flags.plot);
  const TrainingResult result =
      trained(flags, request, std::move(start), std::move(joined.ranks), report);
  report.ended(result);
  leave_ranks();
  const bool stopped =
      result.end == TrainingEnd::stopped || result.end == TrainingEnd::stopped_reading;
  return stopped ? kStopped : kDone;
}

}  // namespace elmo
