// The cost of training a model, from its shapes.
#pragma once

#include <cstdint>

#include "core/model/options.h"

namespace elmo {

/// Floating-point operations of the LSTMs' and the softmax's products for one predicted token, in
/// both directions, forward and backward. A backward pass takes two products for each product of
/// the forward pass. `samples`: number of classes of the sampled softmax.
double training_flop_per_token(const ModelOptions& options, std::int64_t samples);

/// The same for the highways and the projection, for one distinct token of a batch. Convolutions
/// are not counted: their backward pass computes only the values that reached the maximum.
double training_flop_per_distinct_token(const ModelOptions& options);

}  // namespace elmo
