// Random parameters as the published models were initialised before training.
#pragma once

#include <cstdint>

#include "core/model/parameters.h"

namespace elmo {

/// Fills every parameter: the same seed gives the same values on every machine and compiler.
/// Distributions follow bilm-tf's training graph; initialize.cpp states each with its source.
void initialize(Parameters& parameters, const ModelOptions& options, std::uint64_t seed);

}  // namespace elmo
