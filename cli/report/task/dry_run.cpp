#include "cli/report/task/dry_run.h"

#include <chrono>

#include "cli/numbers/human.h"
#include "cli/report/json.h"

namespace elmo {

std::string dry_task_text(const DryTaskTraining& found) {
  const auto time = [](double seconds) {
    return human_time(std::chrono::duration<double>(seconds));
  };
  std::string text = human_count(found.tokens, "token") + " in " +
                     human_count(found.examples, "example") + " to train on, " +
                     human_count(found.dev_examples, "example") + " to evaluate on\n";
  text += human_count(found.parameters, "parameter") + ", " +
          (found.labels > 0 ? human_count(found.labels, "label") + ", " : "") +
          human_count(found.words, "word") + '\n';
  if (found.features_bytes > 0) {
    text += "activations: about " + human_bytes(found.features_bytes) + ", computed in " +
            time(found.features_seconds) + '\n';
  }
  text += human_count(found.steps_per_epoch, "step") + " an epoch, about " +
          time(found.epoch_seconds) + "; at most " + human_count(found.steps, "step") +
          (found.models > 1 ? " for each of " + human_count(found.models, "seed") : "") + '\n';
  text += "about " + human_bytes(found.memory_bytes) + " of memory for a sample\n";
  return text + "at most about " + time(found.seconds) +
         ", from a few steps; evaluations are not counted\n";
}

std::string dry_task_json(const DryTaskTraining& found) {
  return json_document({{"kind", found.kind},
                        {"examples", found.examples},
                        {"tokens", found.tokens},
                        {"dev_examples", found.dev_examples},
                        {"labels", found.labels},
                        {"words", found.words},
                        {"parameters", found.parameters},
                        {"steps_per_epoch", found.steps_per_epoch},
                        {"steps", found.steps},
                        {"models", found.models},
                        {"features_bytes", found.features_bytes},
                        {"features_seconds", found.features_seconds},
                        {"epoch_seconds", found.epoch_seconds},
                        {"seconds", found.seconds},
                        {"memory_bytes", found.memory_bytes}});
}

}  // namespace elmo
