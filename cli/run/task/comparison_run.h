// Training task models in several settings, sizes of data and seeds, to be compared.
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
  TaskRequest task;  ///< whose place and mix of layers the settings replace
  std::vector<ComparedSetting> settings;
  /// Parts of the training examples, below 1 and different, on which the sized settings are trained
  /// besides all of them.
  std::vector<double> fractions;
};

/// Whether a setting is trained on parts of the data, too.
inline bool is_sized(const ComparedSetting& setting) {
  return setting.name == "none" || setting.name == "input";
}

/// Is given all models when they are trained, while the folder, where results go, is still locked.
/// `spans`: scores are F1 of spans, else accuracy.
using Compared = std::function<void(std::span<const ComparedGroup> groups, TaskMetric metric)>;

enum class ComparisonEnd { completed, stopped };

/// Trains all models, one after the other, on activations that are computed once. What was trained
/// is kept in the folder's log, so that a comparison continues where it stopped; the models are not
/// kept. Errors: as core and io throw them; nothing is removed before the folder is locked and the
/// data and the model were read.
ComparisonEnd run_comparison(const ComparisonRequest& request, LoadedModel bilm,
                             TaskRunListener& listener, const Compared& compared,
                             const std::atomic<bool>& stop);

}  // namespace elmo
