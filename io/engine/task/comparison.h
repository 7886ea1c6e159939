// Trains the models that `elmo task compare` compares, by setting of ELMo, size of the training
// data and seed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/common/task_options.h"
#include "io/engine/task/data.h"
#include "io/engine/task/train.h"
#include "io/files/atomic_file.h"

namespace elmo {

/// One way to use the layers of a biLM for a task.
struct ComparedSetting {
  std::string name;
  ElmoPlace elmo = ElmoPlace::none;
  MixOptions mix;
  std::string meaning;  ///< description for people
};

/// The settings of tables 2 and 3 of the paper, and a control without context. `mix` has the
/// options that they share, such as λ.
std::vector<ComparedSetting> all_settings(const MixOptions& mix);

/// One trained model.
struct ComparedModel {
  std::string setting;
  double fraction = 1.0;       ///< share of the training examples
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

/// The files that a comparison publishes; sizes.svg only if several sizes were trained.
inline constexpr std::array kComparisonFiles{"comparison.md", "comparison.json", "weights.svg",
                                             "epochs.svg", "sizes.svg"};

/// Groups models by setting and size, in the order of their first occurrence.
std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models);

/// The settings that are also trained on parts of the data.
inline constexpr const char* kSizedSettings = "none and input";

/// Trains each model with its seeds and other options; `options.elmo` and `options.mix` come from
/// the settings.
struct ComparisonRequest : TaskRequest {
  std::vector<std::string> settings;  ///< names of all_settings()
  /// Parts of the training examples. Sized settings are trained on each of them and on all
  /// examples.
  std::vector<float> fractions;
};

/// Returns the settings that the request names, in the order of all_settings().
std::vector<ComparedSetting> settings_of(const ComparisonRequest& request);

/// All models after training.
struct ComparisonResult {
  std::vector<ComparedGroup> groups;
  TaskMetric metric;
  std::unique_ptr<OutputFolder> lock;  ///< keeps the folder until the result is reported
};

/// Trains all models, one after the other, on activations that are computed once. Outcomes are kept
/// in the folder's log, so that a comparison continues where it stopped; the models are not kept.
/// Returns nothing if it was stopped. Errors: as in core and io; RequestError for numbers that are
/// no parts, and for parts without a sized setting. Nothing is removed before the folder is locked
/// and the data and the model are read.
std::optional<ComparisonResult> run_comparison(const ComparisonRequest& request,
                                               const TaskRunServices& services);

}  // namespace elmo
