#include "core/tasks/common/corpus_evaluator.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace elmo {

namespace {

// Examples that are predicted at once.
constexpr std::size_t kBatch = 32;

}  // namespace

std::optional<double> CorpusEvaluator::score(TaskModel& model, const std::atomic<bool>& stop) {
  // Examples of like length together: a batch takes as many steps as its longest one.
  std::vector<std::uint64_t> order(corpus_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return corpus_[a].tokens() < corpus_[b].tokens();
  });
  LabelScores scores = none_;
  std::vector<TaskPrediction> predictions;
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    if (stop) return std::nullopt;
    const auto indices = std::span(order).subspan(begin, std::min(kBatch, order.size() - begin));
    const TaskBatch batch = corpus_.load(indices);
    model.predict(batch, workers_, predictions);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      scores.add(labels_.names_of(batch[i].labels), labels_.names_of(predictions[i].labels));
    }
  }
  return scores.score();
}

}  // namespace elmo
