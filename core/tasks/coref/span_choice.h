// Which spans of a text may be mentions, and which of them are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/span_attention.h"
#include "core/tensor/matrix.h"

namespace elmo {

/// All spans of up to `longest` rows that lie within one sequence, by where they begin, then by
/// where they end. Any thread.
std::vector<RowSpan> spans_within(const Sequences& sequences, std::int64_t longest);

/// The numbers of the best `count` spans of which no two cross: the better of two that do is taken
/// (Lee et al. 2017, section 5). Nested ones do not cross. Of equal scores the first is better.
/// `spans` as spans_within() gives them; the numbers ascend. Any thread.
std::vector<std::size_t> best_spans(std::span<const RowSpan> spans, std::span<const float> scores,
                                    std::size_t count);

}  // namespace elmo
