// Scores of models that predict named labels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_scores.h"

namespace elmo {

/// LabelScores for numbered labels. One thread.
class NamedLabelScores final : public TaskScores {
 public:
  /// `labels`: first the model's, in its order, then labels that the model does not know and so
  /// cannot predict; must outlive this object. `tokens`: labels belong to tokens, not to examples.
  /// `spans`: see LabelScores.
  NamedLabelScores(const LabelSet& labels, bool tokens, bool spans)
      : labels_(labels), tokens_(tokens), scores_(spans) {}

  void add(const TaskRecord& record, const TaskPrediction& prediction) override;
  double score() const override { return scores_.score(); }
  /// precision, recall, f1, macro_f1, accuracy, the number of tokens, and the types by name.
  std::vector<ScoreFigure> figures() const override;

 private:
  const LabelSet& labels_;
  bool tokens_;
  LabelScores scores_;
};

/// {precision, recall, f1, expected, predicted, correct} under the name `name`.
ScoreFigure counts_figure(const std::string& name, const AgreementCounts& counts);

}  // namespace elmo
