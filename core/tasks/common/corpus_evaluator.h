// Scoring of a task model on labeled examples.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/parallel/workers.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_learner.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_scores.h"

namespace elmo {

/// Returns new scores without any examples.
using NewScores = std::function<std::unique_ptr<TaskScores>()>;

/// Scores a model on a corpus.
class CorpusEvaluator final : public TaskEvaluator {
 public:
  /// `corpus` and `workers` must outlive this object.
  CorpusEvaluator(TaskCorpus& corpus, NewScores new_scores, Workers& workers)
      : corpus_(corpus), new_scores_(std::move(new_scores)), workers_(workers) {}

  std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) override;

 private:
  TaskCorpus& corpus_;
  NewScores new_scores_;
  Workers& workers_;
};

}  // namespace elmo
