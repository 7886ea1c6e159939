// Softmax cross entropy, with one label per row or several correct candidates.
#pragma once

#include <cstdint>
#include <span>

#include "core/nn/layer.h"

namespace elmo {

/// Returns Σ over rows of weight · −log p(label) with p = softmax(row). Replaces `logits` [N,
/// labels] by `scale` times the gradient of the loss with respect to them. `labels` [N] are
/// 0-based; `weights` is [N], or empty for all 1. Any thread.
double softmax_cross_entropy(Matrix& logits, std::span<const std::int32_t> labels, float scale,
                             std::span<const float> weights = {});

/// Returns −log of the summed probability of the correct candidates under p = softmax(scores); the
/// loss does not prefer one of them (Clark and Gardner 2017, section 2.2; Lee et al. 2017, section
/// 5). Replaces `scores` [N] by `scale` times the gradient of the loss with respect to them.
/// `right` [N] is nonzero for each correct candidate, at least one. Any thread.
double summed_cross_entropy(std::span<float> scores, std::span<const std::uint8_t> right,
                            float scale);

}  // namespace elmo
