// One row a token from the rows of all layers, sentence by sentence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/inference/options.h"
#include "core/nn/scalar_mix.h"

namespace elmo {

/// What each of `layers` layers, the token layer included, counts in the rows that `options` ask
/// for; no weights where they ask for all layers. RequestError for mix weights of another number.
LayerWeights layer_weights(std::size_t layers, const EmbedOptions& options);

/// Mixes the layers of each sentence: `mixed` becomes [tokens, 2P] of the batch's activations
/// [tokens, 2L+1, P] by weights of L+1 layers. See mix_layers.
void mix_sentences(const ActivationBatch& batch, const ActivationLayout& layout,
                   const LayerWeights& weights, std::vector<float>& mixed);

}  // namespace elmo
