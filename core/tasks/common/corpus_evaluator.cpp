#include "core/tasks/common/corpus_evaluator.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace elmo {

namespace {

// Examples that are predicted at once: so many, or fewer of long texts.
constexpr std::size_t kBatch = 32;
constexpr std::uint64_t kBatchTokens = 8192;

}  // namespace

std::optional<double> CorpusEvaluator::score(TaskModel& model, const std::atomic<bool>& stop) {
  // Examples of like length together: a batch takes as many steps as its longest one.
  std::vector<std::uint64_t> order(corpus_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return corpus_.tokens_of(a) < corpus_.tokens_of(b);
  });
  const std::unique_ptr<TaskScores> scores = new_scores_();
  std::vector<TaskPrediction> predictions;
  for (std::size_t begin = 0; begin < order.size();) {
    if (stop) return std::nullopt;
    std::size_t count = 0;
    std::uint64_t tokens = 0;
    while (count < std::min(kBatch, order.size() - begin) && tokens < kBatchTokens) {
      tokens += corpus_.tokens_of(order[begin + count++]);
    }
    const auto indices = std::span(order).subspan(begin, count);
    begin += count;
    const TaskBatch batch = corpus_.load(indices);
    model.predict(batch, workers_, predictions);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      scores->add(corpus_[indices[i]], predictions[i]);
    }
  }
  return scores->score();
}

}  // namespace elmo
