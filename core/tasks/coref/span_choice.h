// Candidate spans of a text, and the choice of the best ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/span_attention.h"
#include "core/tensor/matrix.h"

namespace elmo {

/// All spans of up to `longest` rows within one sequence, ordered by begin, then by end. Any
/// thread.
std::vector<RowSpan> spans_within(const Sequences& sequences, std::int64_t longest);

/// Indices of the best `count` spans, no two of which cross: of two crossing spans, the better is
/// taken (Lee et al. 2017, section 5). Nested spans do not cross. Of equal scores, the first is
/// better. `spans` must be ordered as by spans_within(). The indices ascend. Any thread.
std::vector<std::size_t> best_spans(std::span<const RowSpan> spans, std::span<const float> scores,
                                    std::size_t count);

}  // namespace elmo
