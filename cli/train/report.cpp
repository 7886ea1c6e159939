#include "cli/train/report.h"

#include <array>
#include <chrono>
#include <utility>

#include "cli/common/chart.h"
#include "core/human.h"
#include "io/files/atomic_file.h"
#include "io/train/metrics_log.h"
#include "io/train/run_folder.h"

namespace elmo {

void TrainingReport::ended(const TrainingResult& result) {
  if (!result.end) {
    note("stopped while reading the text; repeat the command to start again");
    return;
  }
  switch (*result.end) {
    case SessionEnd::was_complete:
      note(folder_.string() + " is complete; nothing to resume; the model is saved again");
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

}  // namespace elmo
