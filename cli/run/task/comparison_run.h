// Trains task models of several settings, sizes of data and seeds.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "cli/run/task/comparison.h"
#include "cli/run/task/request.h"
#include "cli/run/task/train_task.h"
#include "io/model/model.h"

namespace elmo {

struct ComparisonRequest {
  TaskRequest task;  ///< the settings replace its `elmo` and `mix`
  std::vector<ComparedSetting> settings;
  /// Parts of the training examples, below 1 and different. Sized settings are trained on each of
  /// them and on all examples.
  std::vector<double> fractions;
};

/// Returns whether a setting is also trained on parts of the data.
inline bool is_sized(const ComparedSetting& setting) {
  return setting.name == "none" || setting.name == "input";
}

/// Receives all models after training, while the output folder is still locked. `metric` is that of
/// the scores.
using Compared = std::function<void(std::span<const ComparedGroup> groups, TaskMetric metric)>;

enum class ComparisonEnd { completed, stopped };

/// Trains all models, one after the other, on activations that are computed once. Outcomes are kept
/// in the folder's log, so that a comparison continues where it stopped; the models are not kept.
/// Errors: as in core and io. Nothing is removed before the folder is locked and the data and the
/// model are read.
ComparisonEnd run_comparison(const ComparisonRequest& request, LoadedModel bilm,
                             TaskRunListener& listener, const Compared& compared,
                             const std::atomic<bool>& stop);

}  // namespace elmo
