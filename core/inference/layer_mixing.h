// Mixes the layers of each token into one row, sentence by sentence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/inference/options.h"
#include "core/nn/scalar_mix.h"

namespace elmo {

/// Returns the weights of `layers` layers, including the token layer, for the output of `options`;
/// no weights if all layers are output. RequestError if the number of mix weights is not `layers`.
LayerWeights layer_weights(std::size_t layers, const EmbedOptions& options);

/// Mixes the layers of each sentence. Replaces `mixed` by [tokens, 2P], computed from the batch's
/// activations [tokens, 2L+1, P] with the weights of L+1 layers. See mix_layers.
void mix_sentences(const ActivationBatch& batch, const ActivationLayout& layout,
                   const LayerWeights& weights, std::vector<float>& mixed);

}  // namespace elmo
