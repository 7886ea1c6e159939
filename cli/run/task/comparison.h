// The models that `elmo task compare` compares, by setting of ELMo, size of the training data and
// seed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/run/task/train_task.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

/// One way to use the layers of a biLM for a task.
struct ComparedSetting {
  std::string name;
  ElmoPlace place = ElmoPlace::none;
  MixOptions mix;
  std::string meaning;  ///< for people
};

/// The settings of tables 2 and 3 of the paper, and a control without context. `mix` has the
/// options that they share, such as λ.
std::vector<ComparedSetting> all_settings(const MixOptions& mix);

/// One trained model.
struct ComparedModel {
  std::string setting;
  double fraction = 1.0;       ///< of the training examples
  std::uint64_t examples = 0;  ///< their number
  std::uint64_t batch = 0;     ///< examples per step
  TaskOutcome outcome;
};

/// The models of all seeds, of one setting at one size.
struct ComparedGroup {
  std::string setting;
  double fraction = 1.0;
  std::uint64_t examples = 0;
  std::uint64_t batch = 0;
  std::vector<TaskOutcome> outcomes;  ///< not empty
};

/// Groups models by setting and size, in the order of their first occurrence.
std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models);

}  // namespace elmo
