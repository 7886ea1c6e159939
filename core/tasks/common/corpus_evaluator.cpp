#include "core/tasks/common/corpus_evaluator.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/tasks/common/prediction_batch.h"

namespace elmo {

std::optional<double> CorpusEvaluator::score(TaskModel& model, const std::atomic<bool>& stop) {
  // Batches examples of similar length: a batch takes as many steps as its longest text has tokens.
  std::vector<std::uint64_t> order(corpus_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return corpus_.tokens_of(a) < corpus_.tokens_of(b);
  });
  const std::unique_ptr<TaskScores> scores = new_scores_();
  std::vector<TaskPrediction> predictions;
  for (std::size_t begin = 0; begin < order.size();) {
    if (stop) return std::nullopt;
    const std::size_t end = predicted_batch_end(
        begin, order.size(), [&](std::size_t i) { return corpus_.tokens_of(order[i]); });
    const auto indices = std::span(order).subspan(begin, end - begin);
    begin = end;
    const TaskBatch batch = corpus_.load(indices);
    model.predict(batch, workers_, predictions);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      scores->add(corpus_[indices[i]], predictions[i]);
    }
  }
  return scores->score();
}

}  // namespace elmo
