// The loss of a choice that several candidates get right.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// −log of the summed probability of the candidates that are right, of p = softmax(scores): which
/// of them is chosen does not matter (Clark and Gardner 2017, section 2.2; Lee et al. 2017, section
/// 5). `scores` [N] become the gradient with respect to them of the loss times `scale`. `right`
/// [N]: not 0 for at least one. Any thread.
double summed_cross_entropy(std::span<float> scores, std::span<const std::uint8_t> right,
                            float scale);

}  // namespace elmo
