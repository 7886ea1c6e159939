// What antecedents' scores say, and what they should.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tasks/coref/antecedent_scorer.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Σ over spans of −log Σ P(j) over the antecedents j of the span's own cluster, P being the
/// softmax over all antecedents and none of them, which scores 0; where there is no such j, −log
/// P(none) (Lee et al. 2017, equation 9). `clusters` [spans]; −1: no mention. Replaces `gradient`
/// [pairs] by that with respect to the scores, times `scale`. Any thread.
double antecedent_loss(const AntecedentPairs& pairs, std::span<const std::int32_t> clusters,
                       double scale, AlignedVector<float>& gradient);

/// The antecedent of span `span` that scores best, if it is more than 0, the nearer one of equal
/// ones; else −1. Any thread.
std::int32_t best_antecedent(const AntecedentPairs& pairs, std::size_t span);

}  // namespace elmo
