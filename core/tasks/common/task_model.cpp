#include "core/tasks/common/task_model.h"

#include "core/kernels/softmax.h"
#include "core/nn/cross_entropy.h"

namespace elmo {

std::string numbers_text(std::span<const std::int32_t> numbers) {
  std::string text;
  for (const std::int32_t number : numbers) text += std::to_string(number) + '\n';
  return text + '\n';
}

double LabelModel::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  forward(batch, options, workers, logits_);
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  for (const TaskExample& example : batch) {
    labels.push_back(example.gold->as<LabelGold>().labels.front());
    weights.push_back(example.weight);
  }
  const float share = 1.0F / static_cast<float>(batch.size());
  const double loss = double{share} * softmax_cross_entropy(logits_, labels, share, weights);
  return loss + backward(logits_, options, workers);
}

std::vector<PredictionPointer> LabelModel::predict(TaskBatch batch, Workers& workers) {
  forward(batch, {}, workers, logits_);
  softmax_rows(logits_.values.data(), logits_.rows, logits_.columns, logits_.columns);
  std::vector<PredictionPointer> predictions;
  for (std::int64_t row = 0; row < logits_.rows; ++row) {
    const float* begin = logits_.row(row);
    const float* best = std::max_element(begin, begin + logits_.columns);
    predictions.push_back(std::make_shared<LabelPrediction>(
        std::vector{static_cast<std::int32_t>(best - begin)}, std::vector{*best}));
  }
  return predictions;
}

}  // namespace elmo
