// How the parameters of layers begin.
#pragma once

#include <cstdint>
#include <span>

#include "core/nn/layer.h"

namespace elmo {

/// A key for `parameter` of the run of a seed: no two names have the same sequence of numbers.
std::uint64_t parameter_key(const Parameter& parameter, std::uint64_t seed);

/// Fills `values` from the uniform distribution on ±bound. The same key gives the same values on
/// every machine.
void fill_uniform(std::span<float> values, float bound, std::uint64_t key);

/// Of an LSTM layer: each gate's matrix by Glorot's bound (a gate is a matrix of its own, so its
/// share of the columns counts), biases of zero, those of the forget gates, the third of `cells`
/// each, 1 (Jozefowicz et al. 2015). `inputs` [n, ..], `recurrent` [cells, ..], `bias` [..].
void initialize_lstm(Parameter& inputs, Parameter& recurrent, Parameter& bias, std::int64_t cells,
                     std::uint64_t seed);

/// The uniform distribution on ±√(6 / (inputs + outputs)) (Glorot and Bengio 2010), for a parameter
/// [inputs, outputs].
void initialize_glorot(Parameter& parameter, std::uint64_t seed);

}  // namespace elmo
