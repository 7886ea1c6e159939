// How good a task model is on labeled examples.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "core/parallel/workers.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_learner.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// Scores a model on a corpus whose labels are numbered by `labels`: the model's labels first, in
/// its order, then those that it does not know and so cannot get right. All have to outlive it.
class CorpusEvaluator final : public TaskEvaluator {
 public:
  /// `none`: scores of nothing yet, as the task's kind makes them.
  CorpusEvaluator(TaskCorpus& corpus, const LabelSet& labels, LabelScores none, Workers& workers)
      : corpus_(corpus), labels_(labels), none_(std::move(none)), workers_(workers) {}

  std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) override;

 private:
  TaskCorpus& corpus_;
  const LabelSet& labels_;
  LabelScores none_;
  Workers& workers_;
};

}  // namespace elmo
