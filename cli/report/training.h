// What people see of a training session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/report/run_report.h"
#include "cli/report/status_line.h"
#include "cli/run/train/dry_run.h"
#include "cli/run/train/training.h"

namespace elmo {

/// Shows how far the run is, prints a line for each validation, and draws the curves in the run's
/// folder where they are asked for. SystemError where the curves cannot be written.
class TrainingReport final : public TrainingListener {
 public:
  TrainingReport(bool quiet, std::filesystem::path folder, bool plot);

  void note(const std::string& line) override { run_.note(line); }
  void progressed(const RunProgress& progress, double first_fraction) override {
    run_.progressed(progress, first_fraction);
  }
  void progress_ended() override;
  void session_failed(std::optional<std::uint64_t> checkpoint) override;

  void stepped(const SessionProgress<BilmLearner>& progress) override;
  void evaluating(std::uint64_t step, std::uint64_t tokens) override;
  void evaluated(const ValidationRecord& record, const StepResult* last) override;

  /// What becomes of a session that ended in an error: after one of the numbers, after another one.
  /// Empty where none did.
  const std::string& after_numbers() const { return after_numbers_; }
  const std::string& after_failure() const { return after_failure_; }

  /// Prints how the run ended.
  void ended(const TrainingResult& result);

 private:
  RunReport run_;
  StatusLine status_;
  std::filesystem::path folder_;
  bool plot_;
  std::string after_numbers_;
  std::string after_failure_;
};

/// What a dry run found.
std::string dry_training_json(const DryTraining& found);
std::string dry_training_text(const DryTraining& found);

}  // namespace elmo
