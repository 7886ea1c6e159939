#include "cli/report/training.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <string>

#include "cli/human.h"
#include "cli/report/curves.h"
#include "io/files/atomic_file.h"
#include "io/train/run_folder.h"

namespace elmo {

TrainingReport::TrainingReport(const TrainFlags& flags, const MetricsLog& log)
    : flags_(flags), log_(log), report_(flags.quiet), status_(flags.quiet) {}

void TrainingReport::stepped(const SessionProgress& progress) {
  if (!status_.due()) return;
  std::string text =
      "step " + human_count(progress.step) + " of " + human_count(progress.total_steps) + ", " +
      human_count(static_cast<std::uint64_t>(progress.tokens_per_second)) + " tokens/s, ETA " +
      human_time(std::chrono::ceil<std::chrono::seconds>(
          std::chrono::duration<double>(progress.seconds_left))) +
      ", loss " + human_number(progress.last.loss[0], 5) + " " +
      human_number(progress.last.loss[1], 5) + ", rate " +
      human_number(static_cast<double>(progress.last.learning_rate), 3);
  if (progress.validation) text += ", valid " + human_number(progress.validation->average, 5);
  status_.show(text);
}

void TrainingReport::validating(std::uint64_t step, std::uint64_t tokens) {
  if (!status_.due()) return;
  status_.show("step " + human_count(step) + ": validating, " + human_count(tokens, "token"));
}

void TrainingReport::validated(const ValidationRecord& record, const StepResult* last) {
  if (flags_.plot) {
    const std::array<PlottedRun, 1> runs{PlottedRun{flags_.output, log_.records()}};
    replace_file(std::filesystem::path(flags_.output) / kCurvesFile, curves_svg(runs));
  }
  status_.clear();
  const std::string loss = last == nullptr
                               ? ""
                               : "loss " + human_number(last->loss[0], 5) + " forward, " +
                                     human_number(last->loss[1], 5) + " backward; ";
  report_.line("step " + human_count(record.step) + ": " + loss + "validation perplexity " +
               human_number(record.average, 5) + " (" + human_number(record.forward, 5) +
               " forward, " + human_number(record.backward, 5) + " backward) over " +
               human_count(record.tokens, "token"));
}

}  // namespace elmo
