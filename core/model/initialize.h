// Random initialization of parameters, as for the published models.
#pragma once

#include <cstdint>
#include <span>

#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"

namespace elmo {

/// Fills every parameter. The same seed gives the same values on every machine and compiler.
/// Distributions follow bilm-tf's training graph; initialize.cpp cites the source of each.
void initialize(Parameters& parameters, const ModelOptions& options, std::uint64_t seed);

/// Returns a softmax over `vocabulary` for activations of `projection_dim` (P) values. Weights are
/// drawn as in bilm-tf, from the normal distribution with standard deviation 1/√P. Biases are the
/// logarithms of the words' shares of `counts` [V] (plus 1 each), so that training starts from a
/// unigram model. Without counts they are 0, as in bilm-tf.
SoftmaxLayer initialize_softmax(Vocabulary vocabulary, std::span<const std::uint64_t> counts,
                                std::int64_t projection_dim, std::uint64_t seed);

/// Copies weights and biases of the words of `from`, which has the same width, to `to`, reserved
/// words included.
void copy_common_words(const SoftmaxLayer& from, SoftmaxLayer& to);

}  // namespace elmo
