// Checks that the output can represent the activations.
#pragma once

#include <cstddef>
#include <span>

#include "core/inference/sink.h"

namespace elmo {

/// Returns the index of the first value that is NaN or has a magnitude of `limit` or more, or
/// values.size() if all are in range. `limit` is positive; infinity finds values that are not
/// finite. Vectorized, in one pass.
std::size_t first_out_of_range(std::span<const float> values, float limit);

/// Throws NumericError for the out-of-range value `index` of the batch's activations. The message
/// names the sentence (number, document, line), the token, the row and the value.
[[noreturn]] void refuse_value(const ActivationBatch& batch, const ActivationLayout& layout,
                               std::size_t index, float limit);

}  // namespace elmo
