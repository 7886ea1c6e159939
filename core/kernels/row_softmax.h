// Softmax of whole rows in memory, for labels and attention.
#pragma once

#include <cstdint>

namespace elmo {

/// Replaces each row of `values` [rows, columns], rows `stride` apart, by exp(v) / Σ exp(v). A row
/// with a NaN becomes NaN. Any thread.
void softmax_rows(float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride);

/// The gradient of softmax_rows. `probabilities` [rows, columns] are its results. `gradient`, with
/// the same stride: in, with respect to the probabilities; out, with respect to the inputs of the
/// softmax. Any thread.
void softmax_rows_backward(const float* probabilities, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, float* gradient);

}  // namespace elmo
