// What it costs to compute with a model, from its shapes.
#pragma once

#include "core/model/options.h"

namespace elmo {

/// Floating-point operations of the matrix products and convolutions, a multiplication and an
/// addition counting as two; gates, activations and pooling are not counted. As a rule of thumb
/// they hide behind the products.
double lstm_flop_per_token(const ModelOptions& options);

/// The same for the vector of one distinct token; 0 where it is a row of a table.
double encoder_flop_per_token(const ModelOptions& options);

}  // namespace elmo
