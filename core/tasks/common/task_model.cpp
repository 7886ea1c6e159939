#include "core/tasks/common/task_model.h"

#include "core/kernels/softmax.h"
#include "core/nn/cross_entropy.h"

namespace elmo {

double label_loss(TaskBatch batch, Matrix& logits) {
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  for (const TaskExample& example : batch) {
    labels.push_back(example.labels.front());
    weights.push_back(example.weight);
  }
  const float share = 1.0F / static_cast<float>(batch.size());
  return double{share} * softmax_cross_entropy(logits, labels, share, weights);
}

void predict_labels(Matrix& logits, std::vector<TaskPrediction>& predictions) {
  softmax_rows(logits.values.data(), logits.rows, logits.columns, logits.columns);
  predictions.clear();
  for (std::int64_t row = 0; row < logits.rows; ++row) {
    const float* begin = logits.row(row);
    const float* best = std::max_element(begin, begin + logits.columns);
    predictions.push_back({{static_cast<std::int32_t>(best - begin)}, {*best}});
  }
}

}  // namespace elmo
