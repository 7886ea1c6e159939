// Reports of a training session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/common/reporter.h"
#include "cli/train/dry_run.h"
#include "cli/train/run.h"

namespace elmo {

/// Shows the progress of a run, prints a line for each validation and, if requested, plots the
/// curves in the run's folder. Throws SystemError if the curves cannot be written.
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

  /// What to do after a session failed, to append to the message of a NumericError or of any other
  /// error. Empty if no session failed.
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

/// The results of a dry run.
std::string dry_training_json(const DryTraining& found);
std::string dry_training_text(const DryTraining& found);

}  // namespace elmo
