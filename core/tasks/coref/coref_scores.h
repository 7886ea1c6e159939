// The scores of coreference, and those of ambiguous pronouns.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_scores.h"
#include "core/tasks/coref/cluster_scores.h"
#include "core/tasks/coref/coref_gold.h"

namespace elmo {

/// By what its records are. Clusters: ClusterScores, gold clusters of one mention left out, as
/// OntoNotes has none. Pronouns (CorefGold::pronoun): each with each of its two names is a pair
/// that is predicted where a cluster has the pronoun's tokens and a mention that is the name, or
/// begins or ends with it ("the actress NAME"). F1 of the pairs over all, over masculine and over
/// feminine pronouns, and the ratio of the latter to the former, as GAP's scorer has them. One
/// thread.
class CorefScores final : public TaskScores {
 public:
  void add(const TaskRecord& record, const TaskPrediction& prediction) override;

  /// The mean F1 of MUC, B³ and CEAF-φ4; of pronouns, that of all pairs.
  double score() const override;

  /// f1, muc, b_cubed and ceaf_e, each with precision, recall and f1; of pronouns f1, masculine,
  /// feminine, bias.
  std::vector<ScoreFigure> figures() const override;

 private:
  void add_pronoun(const AmbiguousPronoun& pronoun, std::span<const MentionCluster> predicted);

  ClusterScores clusters_;
  bool has_pronouns_ = false;
  std::array<AgreementCounts, 2> pairs_;  // by gender
};

}  // namespace elmo
