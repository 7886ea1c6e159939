// Combines the layers of a biLM: mixed into one, with given weights or with weights learned for a
// task, or side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// Weights that mix the layers h_0 = [x; x], h_j = [forward_j; backward_j] into one row of 2P.
struct LayerWeights {
  std::vector<float> weights;  ///< [L+1] factor of each layer, gamma included
  bool layer_norm = false;     ///< first normalize each layer to mean 0 and variance 1 over the
                               ///< sentence
  /// The first and the last token are `<S>` and `</S>`. Mean and variance are computed over the
  /// tokens between them and applied to all tokens.
  bool boundaries = false;
};

/// Returns gamma · softmax(weights), the factors of a scalar mix (Peters et al. 2018, equation 1).
std::vector<float> scalar_mix_factors(std::span<const float> weights, float gamma);

/// Computes to [tokens, 2P] = Σ_j weights_j · h_j from activations [tokens, 2L+1, P] of one
/// sentence. Layer normalization is over all values of a layer in the sentence, with epsilon 1e-12.
/// It leaves boundaries out, so that keeping them changes no other token. Section 3.2 of the paper
/// leaves its form open; AllenNLP normalizes over the tokens of a whole batch, including
/// boundaries. Any thread.
void mix_layers(std::span<const float> activations, std::int64_t projection_dim,
                const LayerWeights& layers, float* to);

/// Copies activations [tokens, 2L+1, P] of one sentence to the rows [x; forward_1; backward_1; …]
/// of `to` [tokens, (2L+1)·P]. `layer_norm`: first normalizes each layer as mix_layers does. Any
/// thread.
void concatenate_layers(std::span<const float> activations, std::int64_t projection_dim,
                        bool layer_norm, FloatView to);

/// ELMo_k = γ Σ_j s_j h_kj with s = softmax(w) (Peters et al. 2018, equation 1), h_0 = [x; x] and
/// h_j = [forward_j; backward_j]. The biLM is frozen: there is no gradient with respect to the
/// layers. Not for two threads at once.
class ScalarMix {
 public:
  struct Options {
    std::int64_t layers = 0;      ///< L
    std::int64_t projection = 0;  ///< P
    /// [L + 1], used instead of learned shares; only γ is learned then.
    std::optional<std::vector<float>> fixed_shares{};
    float lambda = 0.0F;
    bool layer_norm = false;    ///< over each sentence, as in mix_layers
    float dropout = 0.0F;       ///< on the mix
    std::uint32_t mask_id = 0;  ///< id of the dropout mask, unique in the model
  };

  /// Parameters NAME/w [L + 1], initially 0 (equal shares), unless the shares are fixed; and
  /// NAME/gamma [1], initially 1.
  ScalarMix(const std::string& name, Options options);

  std::int64_t columns() const { return 2 * options_.projection; }
  std::vector<Parameter*> parameters();

  std::vector<float> shares() const;  ///< [L + 1] s
  float gamma() const { return gamma_.values[0]; }

  /// Writes the mix to `to` from column `column` on, one sentence after another. `activations[b]`
  /// is [tokens, 2L+1, P] and must not change until backward.
  void forward(std::span<const std::span<const float>> activations, const PassOptions& options,
               Matrix& to, std::int64_t column);

  /// `gradient`: as `to` in forward; the columns of the mix are overwritten. Also adds the gradient
  /// of λ‖w‖², and returns that penalty.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  double penalty();
  std::int64_t activation_rows() const { return 2 * options_.layers + 1; }
  std::int64_t token_count(std::span<const float> sentence) const;
  std::vector<double> layer_products(const Matrix& gradient, std::int64_t column) const;

  Options options_;
  Parameter weights_;
  Parameter gamma_;
  std::vector<std::span<const float>> activations_;
  AlignedVector<float> mixed_;  // mix of one sentence
};

}  // namespace elmo
