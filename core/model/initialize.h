// Random parameters as the published models were initialized before training.
#pragma once

#include <cstdint>
#include <span>

#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"

namespace elmo {

/// Fills every parameter: the same seed gives the same values on every machine and compiler.
/// Distributions follow bilm-tf's training graph; initialize.cpp states each with its source.
void initialize(Parameters& parameters, const ModelOptions& options, std::uint64_t seed);

/// A softmax over `vocabulary` for activations of `projection_dim` numbers: weights as bilm-tf
/// draws them, from the normal distribution with deviation 1/√P. bilm-tf begins with biases of 0;
/// these begin as the logarithms of the words' shares of `counts` [V] (plus 1 each), so that
/// training begins from a unigram model. Without counts they are 0.
SoftmaxLayer initialize_softmax(Vocabulary vocabulary, std::span<const std::uint64_t> counts,
                                std::int64_t projection_dim, std::uint64_t seed);

}  // namespace elmo
