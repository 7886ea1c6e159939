// How well scores agree with gold ratings or labels, by their ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace elmo {

/// Spearman's rank correlation: Pearson's correlation of the ranks. Equal values share the mean of
/// their ranks. Nothing if all values of one list are equal. REQUIRES: lists of equal length
/// without NaN.
std::optional<double> spearman(std::span<const double> scores, std::span<const double> gold);

/// Scores that tell two classes apart.
struct BinaryScore {
  double auc = 0;       ///< probability that a positive scores higher; a tie counts one half
  double accuracy = 0;  ///< at the best threshold
  std::optional<double> threshold{};  ///< the smallest score of a positive answer, if there is one
};

/// Compares scores with classes. Nothing unless both classes occur. REQUIRES: lists of equal length
/// without NaN.
std::optional<BinaryScore> binary_score(std::span<const double> scores,
                                        const std::vector<bool>& positive);

}  // namespace elmo
