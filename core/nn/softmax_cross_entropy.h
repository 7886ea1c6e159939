// Softmax cross entropy with one label per row.
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

}  // namespace elmo
