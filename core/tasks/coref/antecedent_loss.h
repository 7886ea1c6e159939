// Loss of antecedent scores, and the best antecedent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tasks/coref/antecedent_scorer.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Σ over spans of −log Σ P(j) over the antecedents j in the span's own cluster; without such a j,
/// −log P(no antecedent) (Lee et al. 2017, equation 9). P is the softmax over all antecedents and
/// over having none, which scores 0. `clusters` [spans]; −1: not a gold mention. Replaces
/// `gradient` [pairs] by the gradient with respect to the scores, times `scale`. Any thread.
double antecedent_loss(const AntecedentPairs& pairs, std::span<const std::int32_t> clusters,
                       double scale, AlignedVector<float>& gradient);

/// The antecedent of span `span` with the highest score, if that is above 0; of equal scores, the
/// nearest antecedent. Otherwise −1. Any thread.
std::int32_t best_antecedent(const AntecedentPairs& pairs, std::size_t span);

}  // namespace elmo
