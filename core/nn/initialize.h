// Initial values of layer parameters.
#pragma once

#include <cstdint>
#include <span>

#include "core/nn/layer.h"

namespace elmo {

/// The random key of `parameter` for a run with this seed. Parameters with different names get
/// different sequences of numbers.
std::uint64_t parameter_key(const Parameter& parameter, std::uint64_t seed);

/// Draws `values` uniformly from ±bound. The same key gives the same values on every machine.
void fill_uniform(std::span<float> values, float bound, std::uint64_t key);

/// Initializes an LSTM layer: Glorot weights, forget gate biases of 1 (Jozefowicz et al. 2015) and
/// other biases of 0. Each gate is a matrix of its own for Glorot's bound, with `cells` columns.
/// The forget gate is the third group of `cells` columns. `inputs` [n, ..], `recurrent` [cells,
/// ..], `bias` [..].
void initialize_lstm(Parameter& inputs, Parameter& recurrent, Parameter& bias, std::int64_t cells,
                     std::uint64_t seed);

/// Draws a parameter [inputs, outputs] uniformly from ±√(6 / (inputs + outputs)) (Glorot and Bengio
/// 2010).
void initialize_glorot(Parameter& parameter, std::uint64_t seed);

}  // namespace elmo
