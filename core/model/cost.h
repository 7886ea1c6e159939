// The computing cost of a model, derived from its shapes.
#pragma once

#include "core/model/options.h"

namespace elmo {

/// Floating-point operations of the LSTMs' matrix products per token. A multiplication and an
/// addition count as two. Gates and activations are not counted; as a rule of thumb, the products
/// hide their cost.
double lstm_flop_per_token(const ModelOptions& options);

/// Floating-point operations of the matrix products and convolutions for the vector of one distinct
/// token, counted in the same way, without activations and pooling; 0 if it is a table row.
double encoder_flop_per_token(const ModelOptions& options);

}  // namespace elmo
