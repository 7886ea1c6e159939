// Softmax of rows in memory, over a vocabulary that arrives in parts, and over a sample of one.
#pragma once

#include <cstdint>

namespace elmo {

/// Log-sum-exp over columns that arrive in parts. maximum[r] starts at −infinity and sum[r] at 0;
/// after all parts, log Σ exp = maximum[r] + log(sum[r]). `logits` is [rows, columns], rows
/// `stride` apart. `bias` [columns], if not null, is added to every row. Any thread.
void accumulate_exponentials(const float* logits, std::int64_t rows, std::int64_t columns,
                             std::int64_t stride, const float* bias, float* maximum, double* sum);

/// Cross entropy against a few sampled classes (Jean et al. 2015), as in TensorFlow's
/// sampled_softmax_loss. The classes of row r are its target and all samples other than its target.
struct SampledCrossEntropy {
  std::int64_t rows = 0;
  std::int64_t samples = 0;
  float* logits = nullptr;  ///< [rows, samples], rows `stride` apart; out: the gradients
  std::int64_t stride = 0;
  /// [samples], added to the logits: bias − log expected count.
  const float* sample_offsets = nullptr;
  const std::int32_t* sample_ids = nullptr;  ///< [samples], ascending; distinct, except for padding
                                             ///< that is no target and has the offset −infinity
  float* target_logits = nullptr;            ///< [rows], offset included; out: the gradients
  const std::int32_t* target_ids = nullptr;  ///< [rows]; −1: no target, no loss, no gradient
  float scale = 1.0F;                        ///< multiplies the gradients, not the loss
};

/// Returns Σ over rows of −log p(target), summed in an order that depends on the shape only. Any
/// thread.
double sampled_cross_entropy(const SampledCrossEntropy& task);

/// Replaces each row of `values` [rows, columns], rows `stride` apart, by exp(v) / Σ exp(v). A row
/// with a NaN becomes NaN. Any thread.
void softmax_rows(float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride);

/// The gradient of softmax_rows. `probabilities` [rows, columns] are its results. `gradient`, with
/// the same stride: in, with respect to the probabilities; out, with respect to the inputs of the
/// softmax. Any thread.
void softmax_rows_backward(const float* probabilities, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, float* gradient);

}  // namespace elmo
