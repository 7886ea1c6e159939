// A linear-chain conditional random field.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// The labels that may follow each other, begin a sequence and end it.
struct LabelTransitions {
  std::int64_t labels = 0;
  std::vector<std::uint8_t> follows;  ///< [labels, labels]: whether the second may follow the first
  std::vector<std::uint8_t> begins;   ///< [labels]
  std::vector<std::uint8_t> ends;     ///< [labels]

  /// Allows every label to begin, to end and to follow every label.
  static LabelTransitions all(std::int64_t labels);
};

/// p(y | x) ∝ exp(b_{y1} + Σ_t e_t[y_t] + Σ_t A[y_{t−1}, y_t] + z_{yT}) over the allowed label
/// sequences (Lafferty et al. 2001). Not for two threads at once.
class Crf {
 public:
  /// Parameters NAME/transitions [K, K], NAME/begin [K] and NAME/end [K], all zero. `allowed` must
  /// let at least one label begin, one follow each label, and one end.
  Crf(const std::string& name, LabelTransitions allowed);

  std::int64_t labels() const { return allowed_.labels; }
  std::vector<Parameter*> parameters() { return {&transitions_, &begin_, &end_}; }

  /// Returns Σ over sequences of −log p(labels). `emissions` is [rows, K]; `labels` [rows] must
  /// form allowed sequences. Adds `scale` times the gradients of the parameters, and replaces
  /// `gradient` [rows, K] by `scale` times the gradient with respect to the emissions.
  double loss(const Matrix& emissions, const Sequences& sequences,
              std::span<const std::int32_t> labels, float scale, Workers& workers,
              Matrix& gradient);

  /// Finds the most probable labels of each sequence (Viterbi) and the marginal probability of each
  /// (forward-backward). Both are [rows].
  void decode(const Matrix& emissions, const Sequences& sequences, Workers& workers,
              std::span<std::int32_t> labels, std::span<float> probabilities);

 private:
  // Exponentials of the parameters; 0 where a label is not allowed.
  struct Factors {
    std::vector<double> step;   // [K, K]
    std::vector<double> begin;  // [K]
    std::vector<double> end;    // [K]
  };
  // Sums over all allowed label sequences of one sentence, scaled at every step; and the gradient
  // counts and loss, summed over the sequences of a share.
  struct Share {
    std::vector<double> emission;  // [T, K]: exp(emission − largest)
    std::vector<double> forward;   // [T, K], each step's sum is 1
    std::vector<double> backward;  // [T, K]: forward · backward is a label's probability
    std::vector<double> scales;    // [T]
    std::vector<double> next;      // [K]
    Factors counts;                // expected − observed
    double loss = 0.0;
  };

  Factors factors() const;
  double sum(const Factors& factors, const Matrix& emissions, std::int64_t first,
             std::int64_t length, Share& share) const;
  void count(const Factors& factors, std::int64_t length, std::span<const std::int32_t> labels,
             Share& share) const;
  double score(const Matrix& emissions, std::int64_t first,
               std::span<const std::int32_t> labels) const;
  void best(const Matrix& emissions, std::int64_t first, std::span<std::int32_t> labels) const;

  LabelTransitions allowed_;
  Parameter transitions_;
  Parameter begin_;
  Parameter end_;
  std::array<Share, 4> shares_;  // a fixed number, so sums do not depend on the number of workers
};

}  // namespace elmo
