// How good a task model is on labelled examples.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/parallel/workers.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_session.h"
#include "core/tasks/tag/span_scores.h"

namespace elmo {

/// Scores a model on a corpus whose labels are numbered by `labels`: the model's labels first, in
/// its order, then those that it does not know and so cannot get right. All have to outlive it.
class CorpusEvaluator final : public TaskEvaluator {
 public:
  /// `spans`: labels are of a span scheme, and the score is F1; else it is accuracy.
  CorpusEvaluator(TaskCorpus& corpus, const LabelSet& labels, bool spans, Workers& workers)
      : corpus_(corpus), labels_(labels), spans_(spans), workers_(workers) {}

  std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) override;

 private:
  TaskCorpus& corpus_;
  const LabelSet& labels_;
  bool spans_;
  Workers& workers_;
};

/// Of a corpus: F1 of spans, accuracy of other labels; percent.
double score_of(const LabelScores& scores);

}  // namespace elmo
