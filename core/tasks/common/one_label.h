// Loss and prediction for examples with one label each.
#pragma once

#include <vector>

#include "core/tasks/common/task_model.h"

namespace elmo {

/// Returns the mean of weight · −log p of the examples' labels. Replaces `logits` [examples,
/// labels] by their gradient. Any thread.
double label_loss(TaskBatch batch, Matrix& logits);

/// Predicts the most probable label of each row, with its probability. Replaces `logits` by
/// probabilities. Any thread.
void predict_labels(Matrix& logits, std::vector<TaskPrediction>& predictions);

}  // namespace elmo
