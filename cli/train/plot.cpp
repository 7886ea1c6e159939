#include "cli/train/plot.h"

#include <algorithm>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/labeled/task_folder.h"
#include "io/labeled/task_state.h"
#include "io/text/segment/utf8.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Returns the folders with a task's progress: `folder` itself, or the folders of its seeds.
std::vector<fs::path> task_folders(const fs::path& folder) {
  if (is_there(folder / kMetricsFile)) {
    return holds_task_progress(folder / kMetricsFile) ? std::vector{folder}
                                                      : std::vector<fs::path>{};
  }
  std::vector<fs::path> seeds = seed_folders(folder);
  std::erase_if(seeds,
                [](const fs::path& seed) { return !holds_task_progress(seed / kMetricsFile); });
  return seeds;
}

std::string bilm_svg(const std::vector<std::string>& folders, const PictureSize& size) {
  std::vector<PlottedRun> runs;
  for (const std::string& folder : folders) {
    const fs::path progress = fs::path(folder) / kMetricsFile;
    if (!is_there(progress)) {
      throw InputError(folder + ": has no " + kMetricsFile +
                       "; expected the folder of elmo train, finetune or task train");
    }
    runs.push_back({escaped_name(folder), read_progress(progress)});
  }
  return curves_svg(runs, size);
}

/// Throws RequestError if only some of the folders have a task's progress.
void check_one_kind(const std::vector<std::string>& folders) {
  const auto task = std::ranges::find_if(
      folders, [](const std::string& folder) { return !task_folders(folder).empty(); });
  const auto other = std::ranges::find_if(
      folders, [](const std::string& folder) { return task_folders(folder).empty(); });
  if (task == folders.end() || other == folders.end()) return;
  throw RequestError(*task + " holds the progress of a task, and " + *other +
                     (fs::exists(fs::path(*other) / kMetricsFile) ? " that of a biLM" : " none") +
                     "; expected runs of one kind");
}

std::string tasks_svg(const std::vector<std::string>& folders, const PictureSize& size) {
  std::vector<PlottedTask> runs;
  for (const std::string& folder : folders) {
    for (const fs::path& run : task_folders(folder)) {
      runs.push_back({escaped_name(run.string()), read_task_progress(run / kMetricsFile)});
    }
  }
  return task_curves_svg(runs, "F1 or accuracy", size);
}

}  // namespace

void validate(const PlotRequest& request) {
  if (request.output.empty()) {
    if (request.runs.size() == 1) return;
    throw RequestError("no output given: use -o FILE for the curves of several runs");
  }
  const fs::path path = request.output;
  for (const std::string& run : request.runs) {
    if (path.extension() == ".svg" || !lies_in(path, run)) continue;
    throw RequestError("-o: " + request.output +
                       " lies in a run that is read; expected a name that ends in .svg there");
  }
}

fs::path plot(const PlotRequest& request) {
  check_one_kind(request.runs);
  const bool tasks = !task_folders(request.runs.front()).empty();
  const std::string svg =
      tasks ? tasks_svg(request.runs, request.size) : bilm_svg(request.runs, request.size);
  fs::path path = request.output.empty() ? fs::path(request.runs.front()) / kCurvesFile
                                         : fs::path(request.output);
  replace_file(path, svg);
  return path;
}

}  // namespace elmo
