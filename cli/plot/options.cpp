// `elmo plot`: the curves of training runs.
#include "cli/common/options.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common/chart.h"
#include "cli/common/option_groups.h"
#include "cli/common/reporter.h"
#include "cli/task/report.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/labeled/task_folder.h"
#include "io/labeled/task_state.h"
#include "io/text/segment/escaped_name.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

struct PlotFlags {
  std::vector<std::string> runs;
  std::string output;
  bool quiet = false;
};

/// Returns the folders with a task's progress: `folder` itself, or those of its seeds.
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

std::string bilm_svg(const std::vector<std::string>& folders) {
  std::vector<PlottedRun> runs;
  for (const std::string& folder : folders) {
    const fs::path progress = fs::path(folder) / kMetricsFile;
    if (!is_there(progress)) {
      throw InputError(folder + ": has no " + kMetricsFile +
                       "; expected the folder of elmo train, finetune or task train");
    }
    runs.push_back({escaped_name(folder), read_progress(progress)});
  }
  return curves_svg(runs);
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

std::string tasks_svg(const std::vector<std::string>& folders) {
  std::vector<std::vector<TaskEvaluation>> evaluations;
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const fs::path& run : task_folders(folder)) {
      names.push_back(escaped_name(run.string()));
      evaluations.push_back(read_task_progress(run / kMetricsFile));
    }
  }
  std::vector<PlottedTask> runs;
  for (std::size_t i = 0; i < names.size(); ++i) runs.push_back({names[i], evaluations[i]});
  return task_curves_svg(runs, "F1 or accuracy");
}

ExitCode run_plot(const PlotFlags& flags) {
  check_one_kind(flags.runs);
  const bool tasks = !task_folders(flags.runs.front()).empty();
  const std::string svg = tasks ? tasks_svg(flags.runs) : bilm_svg(flags.runs);
  const fs::path path =
      flags.output.empty() ? fs::path(flags.runs.front()) / kCurvesFile : fs::path(flags.output);
  replace_file(path, svg);
  Report(flags.quiet).line("the curves are in " + path.string());
  return kDone;
}

}  // namespace

void add_plot(Options& app, Command& chosen) {
  const auto flags = std::make_shared<PlotFlags>();
  Options command = app.add_subcommand("plot", "Draw loss and score of training runs");
  command
      ->add_option(
          "DIR", flags->runs,
          "Folders that train, finetune or task train has written; several of one kind are drawn "
          "over one another")
      ->required();
  command
      ->add_option("-o,--output", flags->output,
                   "SVG file to write or replace; required for several runs")
      ->type_name("FILE")
      ->default_str("DIR/curves.svg");
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->callback([flags, &chosen] {
    if (flags->runs.size() > 1 && flags->output.empty()) {
      throw RequestError("no output given: use -o FILE for the curves of several runs");
    }
    for (const std::string& run : flags->runs) {
      if (flags->output.empty()) break;
      const fs::path path = flags->output;
      if (path.extension() == ".svg" || !lies_in(path, run)) continue;
      throw RequestError("-o: " + flags->output +
                         " lies in a run that is read; expected a name that ends in .svg there");
    }
    chosen = [flags] { return run_plot(*flags); };
  });
}

}  // namespace elmo
