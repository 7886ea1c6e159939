// Whether activations are numbers that the output can hold.
#pragma once

#include <cstddef>
#include <span>

#include "core/inference/sink.h"

namespace elmo {

/// Index of the first value that is no number or whose magnitude is `limit` or more, or the number
/// of values where there is none. `limit` is positive; infinity finds what is not finite. One look
/// at each value, many at a time.
std::size_t first_out_of_range(std::span<const float> values, float limit);

/// NumericError for value `index` of the batch's activations, which is out of range: it names the
/// sentence (number, document, line), the token and the row, and what was found.
[[noreturn]] void refuse_value(const ActivationBatch& batch, const ActivationLayout& layout,
                               std::size_t index, float limit);

}  // namespace elmo
