// Examples with one label each.
#pragma once

#include <vector>

#include "core/tasks/common/task_model.h"

namespace elmo {

/// The mean of weight · −log p of the examples' labels. `logits` [examples, labels] become its
/// gradient. Any thread.
double label_loss(TaskBatch batch, Matrix& logits);

/// The most probable label of each row, and its probability; `logits` become probabilities. Any
/// thread.
void predict_labels(Matrix& logits, std::vector<TaskPrediction>& predictions);

}  // namespace elmo
