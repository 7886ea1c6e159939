// Scores of coreference clusters and of ambiguous pronouns.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_scores.h"
#include "core/tasks/coref/cluster_scores.h"
#include "core/tasks/coref/coref_gold.h"

namespace elmo {

/// Scores clusters or pronouns, depending on the records. Clusters: ClusterScores without gold
/// clusters of one mention, because OntoNotes has none. Pronouns (CorefGold::pronoun): a pronoun
/// forms a pair with each of its two names. The pair is predicted if a cluster contains the
/// pronoun's tokens and a mention that is the name, or begins or ends with it ("the actress NAME").
/// The figures are the F1 of all pairs, of masculine and of feminine pronouns, and the ratio of
/// feminine to masculine, as in GAP's scorer. One thread.
class CorefScores final : public TaskScores {
 public:
  void add(const TaskRecord& record, const TaskPrediction& prediction) override;

  /// Mean F1 of MUC, B³ and CEAF-φ4; for pronouns, F1 of all pairs.
  double score() const override;

  /// f1, muc, b_cubed and ceaf_e, the last three with precision, recall and f1. For pronouns: f1,
  /// masculine, feminine, bias.
  std::vector<ScoreFigure> figures() const override;

 private:
  void add_pronoun(const AmbiguousPronoun& pronoun, std::span<const MentionCluster> predicted);

  ClusterScores clusters_;
  bool has_pronouns_ = false;
  std::array<AgreementCounts, 2> pairs_;  // by gender
};

}  // namespace elmo
