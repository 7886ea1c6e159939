// Clusters of mentions of a document that refer to the same thing, and the gold data beside them;
// and the scores of clusters and of ambiguous pronouns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/tasks/common/label_scores.h"

namespace elmo {

/// Mentions of one thing, in token offsets of the document.
using MentionCluster = std::vector<RowSpan>;

/// A mention and an earlier mention of the same thing, by number.
struct MentionLink {
  std::size_t mention = 0;
  std::size_t antecedent = 0;
};

/// The clusters of linked mentions, ordered by their first mentions. `mentions` ascend, and so do
/// the mentions of `links`. Any thread.
std::vector<MentionCluster> linked_clusters(std::span<const MentionLink> links,
                                            std::span<const RowSpan> mentions);

enum class PronounGender { masculine, feminine };

/// An ambiguous pronoun and two names. It may refer to one of them (GAP, Webster et al. 2018).
/// Positions are tokens of the document.
struct AmbiguousPronoun {
  struct Name {
    RowSpan tokens;
    bool is_meant = false;
  };

  RowSpan pronoun;
  PronounGender gender = PronounGender::masculine;
  std::array<Name, 2> names;
};

/// A document's known clusters, how they are scored, and the units of its mentions.
struct CorefGold : TaskGold {
  /// Without a known cluster, nothing can be learned.
  bool can_be_learned() const override;
  bool can_be_scored() const override { return pronoun || can_be_learned(); }
  /// The genre, the speakers, the clusters and the pronoun.
  std::string text() const override;

  std::int32_t genre = -1;  ///< index of the labels that the model was made with; others: unknown
  std::vector<std::int32_t> speakers;  ///< number of each sentence's speaker, −1: unknown; or empty
  std::vector<MentionCluster> clusters;     ///< may be empty, as may their lists of mentions
  bool in_bytes = false;                    ///< mentions are written in bytes, else in tokens
  std::optional<AmbiguousPronoun> pronoun;  ///< if set, scored instead of clusters
};

/// Clusters of at least two mentions, ordered by their first mentions.
struct ClusterPrediction : TaskPrediction {
  explicit ClusterPrediction(std::vector<MentionCluster> found) : clusters(std::move(found)) {}

  std::vector<MentionCluster> clusters;
};

/// A table of doubles: `values` [rows, columns], row-major.
struct WeightTable {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;
};

/// Returns the largest sum of weights in which each row and each column occurs at most once: the
/// Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987). Weights must be at
/// least 0. O(r² c), where r is the smaller and c the larger of the numbers of rows and columns.
/// Any thread.
double best_assignment(const WeightTable& weights);

/// Recall and precision of a corpus: numerators and denominators summed over documents. Figures are
/// percentages, and 0 if there is nothing to count.
struct ClusterAgreement {
  double recalled = 0.0;
  double expected = 0.0;
  double right = 0.0;
  double predicted = 0.0;

  double recall() const { return percent(recalled, expected); }
  double precision() const { return percent(right, predicted); }
  /// 2 · precision · recall / (precision + recall)
  double f1() const {
    const double sum = precision() + recall();
    return sum == 0.0 ? 0.0 : 2.0 * precision() * recall() / sum;
  }

  static double percent(double part, double whole) {
    return whole == 0.0 ? 0.0 : 100.0 * part / whole;
  }
};

/// The three scores of CoNLL-2012 as Pradhan et al. 2014 define them for predicted mentions: MUC
/// (Vilain et al. 1995), B³ (Bagga and Baldwin 1998) and CEAF with φ4 (Luo 2005). Mentions are
/// equal if their spans are. One thread.
class ClusterScores {
 public:
  /// Adds a document. On each side, no mention may be in two clusters or twice in one. Clusters of
  /// one mention are counted too.
  void add(std::span<const MentionCluster> expected, std::span<const MentionCluster> predicted);

  const ClusterAgreement& muc() const { return muc_; }
  const ClusterAgreement& b_cubed() const { return b_cubed_; }
  const ClusterAgreement& ceaf_e() const { return ceaf_e_; }
  /// Mean F1 of the three scores.
  double f1() const { return (muc_.f1() + b_cubed_.f1() + ceaf_e_.f1()) / 3.0; }

 private:
  ClusterAgreement muc_;
  ClusterAgreement b_cubed_;
  ClusterAgreement ceaf_e_;
};

/// Scores clusters or pronouns, depending on the records. Clusters: ClusterScores without gold
/// clusters of one mention, because OntoNotes has none. Pronouns (CorefGold::pronoun): a pronoun
/// forms a pair with each of its two names. The pair is predicted if a cluster contains the
/// pronoun's tokens and a mention that is the name, or begins or ends with it ("the actress NAME").
/// The figures are the F1 of all pairs, of masculine and of feminine pronouns, and the ratio of
/// feminine to masculine, as in GAP's scorer. One thread.
class CorefScores final : public TaskScores {
 public:
  /// CorefGold and ClusterPrediction.
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
