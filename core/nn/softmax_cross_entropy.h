// The loss of a label each row.
#pragma once

#include <cstdint>
#include <span>

#include "core/nn/layer.h"

namespace elmo {

/// Returns Σ over rows of weight · −log p(label) with p = softmax of the row. `logits` [N, labels]
/// become the gradient with respect to them of the loss times `scale`; `labels` [N], 0-based;
/// `weights` [N], or none where all are 1. Any thread.
double softmax_cross_entropy(Matrix& logits, std::span<const std::int32_t> labels, float scale,
                             std::span<const float> weights = {});

}  // namespace elmo
