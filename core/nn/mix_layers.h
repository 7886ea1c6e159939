// From all activations of a sentence to the rows that were asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elmo {

/// How the layers h_0 = [x; x], h_j = [forward_j; backward_j] become one row of 2P.
struct LayerWeights {
  std::vector<float> weights;  ///< [L+1] factor of each layer, gamma included
  bool layer_norm = false;  ///< bring each layer to mean 0 and variance 1 over the sentence first
  /// The first and the last token are `<S>` and `</S>`: mean and variance are those of the tokens
  /// between them, by which these two are changed, too.
  bool boundaries = false;
};

/// What layer normalisation makes of a layer's numbers h: (h − mean) · factor.
struct LayerNormal {
  double mean = 0;
  double factor = 1;
};

/// That of layer j of activations [tokens, rows, P] of one sentence.
LayerNormal layer_normal(std::span<const float> activations, std::int64_t projection_dim,
                         std::int64_t rows, std::int64_t layer);

/// Which of a token's rows holds half 0 (forward) or 1 (backward) of h_j.
std::int64_t activation_row(std::int64_t layer, std::int64_t half);

/// gamma · softmax(weights), the factors of a scalar mix (Peters et al. 2018, equation 1).
std::vector<float> scalar_mix_factors(std::span<const float> weights, float gamma);

/// to [tokens, 2P] = Σ_j weights_j · h_j from activations [tokens, 2L+1, P] of one sentence. Layer
/// normalisation is over all numbers of a layer in the sentence, with epsilon 1e-12, boundaries
/// left out, so that whether they are kept changes no other token (section 3.2 of the paper leaves
/// its form open; AllenNLP's is over the tokens of a whole batch, boundaries among them). Any
/// thread.
void mix_layers(std::span<const float> activations, std::int64_t projection_dim,
                const LayerWeights& layers, float* to);

}  // namespace elmo
