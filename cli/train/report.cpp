#include "cli/train/report.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "cli/common/learning_curves.h"
#include "core/error.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"
#include "io/tasks/task_folder.h"
#include "io/text/segment/utf8.h"
#include "io/train/metrics_log.h"
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
      throw InputError(folder + lack_of(folder, kMetricsFile) +
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
  return task_curves_svg(runs, "F1 or accuracy on dev, %", size);
}

}  // namespace

void TrainingReport::ended(const TrainingResult& result) {
  if (!result.end) {
    note("stopped while reading the text; repeat the command to start again");
    return;
  }
  switch (*result.end) {
    case SessionEnd::was_complete:
      note(folder_.string() + " is complete, with its model; nothing to resume");
      break;
    case SessionEnd::stopped:
      note("stopped at step " + human_count(result.step) + " of " +
           human_count(result.total_steps) + "; repeat the command with --resume to continue");
      break;
    case SessionEnd::completed:
      note(human_count(result.step, "step") + ", " + human_count(result.tokens, "token") + ", " +
           human_time(result.seconds) + "; the model is in " + folder_.string());
      break;
  }
}

void TrainingReport::stepped(const SessionProgress<BilmLearner>& progress) {
  if (!due()) return;
  std::string text =
      "step " + human_count(progress.step) + " of " + human_count(progress.last_step) + ", " +
      human_rate(progress.tokens_per_second, "tokens") + ", ETA " +
      human_time_left(std::chrono::duration<double>(progress.seconds_left)) + ", loss " +
      human_number(progress.last.loss[0], 5) + " " + human_number(progress.last.loss[1], 5) +
      ", rate " + human_number(static_cast<double>(progress.last.learning_rate), 3);
  if (progress.evaluation) text += ", valid " + human_number(progress.evaluation->average, 5);
  show(text);
}

void TrainingReport::evaluating(std::uint64_t step, std::uint64_t tokens) {
  if (!due()) return;
  show("step " + human_count(step) + ": validating, " + human_count(tokens, "token"));
}

void TrainingReport::evaluated(const ValidationRecord& record, const StepResult* last) {
  if (plot_) {
    const std::array<PlottedRun, 1> runs{
        PlottedRun{folder_.string(), read_progress(folder_ / kMetricsFile)}};
    replace_file(folder_ / kCurvesFile, curves_svg(runs));
  }
  const std::string loss = last == nullptr
                               ? ""
                               : "loss " + human_number(last->loss[0], 5) + " forward, " +
                                     human_number(last->loss[1], 5) + " backward; ";
  note("step " + human_count(record.step) + ": " + loss + "validation perplexity " +
       human_number(record.average, 5) + " (" + human_number(record.forward, 5) + " forward, " +
       human_number(record.backward, 5) + " backward) over " + human_count(record.tokens, "token"));
}

std::string dry_training_json(const DryTraining& found) {
  return json_document({{"tokens", found.tokens},
                        {"sentences", found.sentences},
                        {"distinct_tokens", found.distinct_tokens},
                        {"vocabulary", found.vocabulary},
                        {"steps", found.plan.total_steps},
                        {"softmax_steps", found.plan.frozen_steps},
                        {"tokens_per_step", found.step_tokens},
                        {"parameters", found.parameters},
                        {"softmax_parameters", found.softmax_parameters},
                        {"memory_bytes", found.memory_bytes},
                        {"threads", found.plan.threads},
                        {"tokens_per_second", found.tokens_per_second},
                        {"validation_seconds", found.validation_seconds.value_or(0.0)},
                        {"seconds", found.seconds}});
}

std::string dry_training_text(const DryTraining& found) {
  std::string text;
  for (const std::string& line : found.lines) text += line + '\n';
  text += "about " + human_bytes(found.memory_bytes) + " of memory\n";
  text += "about " + human_time(found.seconds) + " to the end, at " +
          human_rate(found.tokens_per_second, "tokens") + " on " +
          human_count(static_cast<std::uint64_t>(found.plan.threads), "thread") +
          ", from a few steps";
  if (!found.validation_seconds) return text + "; validations are not counted\n";
  return text + ", " + human_time(*found.validation_seconds) + " of it for validations\n";
}

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
