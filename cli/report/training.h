// What people see of a training session.
#pragma once

#include "cli/flags/train.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "core/train/session.h"
#include "io/train/metrics_log.h"

namespace elmo {

/// Shows how far the session is, prints a line for each validation, and draws the curves of `log`
/// where they are asked for. Both have to outlive it. SystemError where the curves cannot be
/// written.
class TrainingReport final : public SessionListener {
 public:
  TrainingReport(const TrainFlags& flags, const MetricsLog& log);

  void stepped(const SessionProgress& progress) override;
  void validating(std::uint64_t step, std::uint64_t tokens) override;
  void validated(const ValidationRecord& record, const StepResult* last) override;

  /// Takes the status away, so that other lines can be printed.
  void clear() { status_.clear(); }

 private:
  const TrainFlags& flags_;
  const MetricsLog& log_;
  Report report_;
  StatusLine status_;
};

}  // namespace elmo
