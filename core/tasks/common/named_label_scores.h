// The scores of models whose predictions are labels with names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_scores.h"

namespace elmo {

/// LabelScores of labels by number. One thread.
class NamedLabelScores final : public TaskScores {
 public:
  /// `labels`: the model's first, in its order, then those that it does not know and so cannot get
  /// right; has to outlive it. `tokens`: they are of tokens, not of examples. `spans` as
  /// LabelScores has it.
  NamedLabelScores(const LabelSet& labels, bool tokens, bool spans)
      : labels_(labels), tokens_(tokens), scores_(spans) {}

  void add(const TaskRecord& record, const TaskPrediction& prediction) override;
  double score() const override { return scores_.score(); }
  /// precision, recall, f1, macro_f1, accuracy, the number of tokens, and types by name.
  std::vector<ScoreFigure> figures() const override;

 private:
  const LabelSet& labels_;
  bool tokens_;
  LabelScores scores_;
};

/// {precision, recall, f1, expected, predicted, correct} under this name.
ScoreFigure counts_figure(const std::string& name, const AgreementCounts& counts);

}  // namespace elmo
