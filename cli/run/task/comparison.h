// What `elmo task compare` compares: settings of ELMo, sizes of training data, seeds.
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

/// The settings of the paper's tables 2 and 3, and a control that knows no context. `mix` has the
/// options that they share, λ among them.
std::vector<ComparedSetting> all_settings(const MixOptions& mix);

/// One model that was trained.
struct ComparedModel {
  std::string setting;
  double fraction = 1.0;       ///< of the training examples
  std::uint64_t examples = 0;  ///< their number
  std::uint64_t batch = 0;     ///< examples a step
  TaskOutcome outcome;
};

/// The models of one setting at one size, of all seeds.
struct ComparedGroup {
  std::string setting;
  double fraction = 1.0;
  std::uint64_t examples = 0;
  std::uint64_t batch = 0;
  std::vector<TaskOutcome> outcomes;  ///< not empty
};

/// By setting and size, both in the order in which they come first.
std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models);

}  // namespace elmo
