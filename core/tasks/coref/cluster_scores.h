// Agreement of predicted clusters of mentions with the expected ones.
#pragma once

#include <span>

#include "core/tasks/coref/clusters.h"

namespace elmo {

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

}  // namespace elmo
