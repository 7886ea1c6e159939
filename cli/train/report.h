// Reports of a training session, and pictures of the curves of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/chart.h"
#include "cli/common/reporter.h"
#include "io/engine/training.h"

namespace elmo {

/// Shows the progress of a run, prints a line for each validation and, if requested, plots the
/// curves in the run's folder. Throws SystemError if the curves cannot be written.
class TrainingReport final : public RunReport, public SessionListener<BilmLearner> {
 public:
  /// `plot`: draw the curves in `folder`, the run's folder.
  TrainingReport(bool quiet, std::filesystem::path folder, bool plot)
      : RunReport(quiet), folder_(std::move(folder)), plot_(plot) {}

  void stepped(const SessionProgress<BilmLearner>& progress) override;
  void evaluating(std::uint64_t step, std::uint64_t tokens) override;
  void evaluated(const ValidationRecord& record, const StepResult* last) override;

  /// Prints how the run ended.
  void ended(const TrainingResult& result);

 private:
  std::filesystem::path folder_;
  bool plot_;
};

/// The results of a dry run.
std::string dry_training_json(const DryTraining& found);
std::string dry_training_text(const DryTraining& found);

struct PlotRequest {
  std::vector<std::string> runs;  ///< folders of train, finetune or task train, all of one kind
  std::string output;             ///< SVG file; empty: curves.svg in the only run
  PictureSize size;
  bool quiet = false;
};

/// Throws RequestError if several runs have no output or if it would overwrite a file of a run.
void validate(const PlotRequest& request);

/// Draws the curves of the runs, and returns the file. Errors: RequestError for runs of different
/// kinds; InputError for folders without progress; otherwise as read_progress, read_task_progress
/// and replace_file.
std::filesystem::path plot(const PlotRequest& request);

}  // namespace elmo
