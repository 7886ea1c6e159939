// Softmax of whole rows that fit into memory: labels, attention.
#pragma once

#include <cstdint>

namespace elmo {

/// Each row of `values` [rows, columns], rows `stride` apart, becomes exp(v) / Σ exp(v). A row with
/// something that is not a number becomes not a number. Any thread.
void softmax_rows(float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride);

/// Its gradient. `probabilities` [rows, columns] as softmax_rows left them; `gradient`, rows as far
/// apart: in, with respect to the probabilities; out, to what the softmax was taken of. Any thread.
void softmax_rows_backward(const float* probabilities, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, float* gradient);

}  // namespace elmo
