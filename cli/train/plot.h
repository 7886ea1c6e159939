// Pictures of the curves of training runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/common/chart.h"

namespace elmo {

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
