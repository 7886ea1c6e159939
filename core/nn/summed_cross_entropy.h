// Cross entropy with several correct candidates.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// Returns −log of the summed probability of the correct candidates under p = softmax(scores); the
/// loss does not prefer one of them (Clark and Gardner 2017, section 2.2; Lee et al. 2017, section
/// 5). Replaces `scores` [N] by `scale` times the gradient of the loss with respect to them.
/// `right` [N] is nonzero for each correct candidate, at least one. Any thread.
double summed_cross_entropy(std::span<float> scores, std::span<const std::uint8_t> right,
                            float scale);

}  // namespace elmo
