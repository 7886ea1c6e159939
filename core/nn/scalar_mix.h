// Layers of a biLM mixed for a task, with learned shares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// ELMo_k = γ Σ_j s_j h_kj with s = softmax(w) (Peters et al. 2018, equation 1), h_0 = [x; x] and
/// h_j = [forward_j; backward_j]. The biLM is frozen: there is no gradient with respect to the
/// layers. Not for two threads at once.
class ScalarMix {
 public:
  struct Options {
    std::int64_t layers = 0;      ///< L
    std::int64_t projection = 0;  ///< P
    /// [L + 1], used in place of the learned ones; then only γ is learned.
    std::optional<std::vector<float>> fixed_shares;
    float lambda = 0.0F;
    bool layer_norm = false;  ///< as mix_layers has it: over a sentence
  };

  /// Parameters NAME/w [L + 1], begun at 0 (equal shares), unless they are fixed, and NAME/gamma
  /// [1], begun at 1.
  ScalarMix(const std::string& name, Options options);

  std::int64_t columns() const { return 2 * options_.projection; }
  std::vector<Parameter*> parameters();

  std::vector<float> shares() const;  ///< [L + 1] s
  float gamma() const { return gamma_.values[0]; }

  /// Columns `column` … of `to` become the mix: rows of one sentence after another,
  /// `activations[b]` being [tokens, 2L+1, P]. They have to stay as they are until backward.
  void forward(std::span<const std::span<const float>> activations, Matrix& to,
               std::int64_t column);

  /// `gradient` as `to` in forward.
  void backward(const Matrix& gradient, std::int64_t column);

  /// λ‖w‖². Adds its gradient.
  double penalty();

 private:
  std::int64_t activation_rows() const { return 2 * options_.layers + 1; }
  std::int64_t token_count(std::span<const float> sentence) const;
  std::vector<double> layer_products(const Matrix& gradient, std::int64_t column) const;

  Options options_;
  Parameter weights_;
  Parameter gamma_;
  std::vector<std::span<const float>> activations_;
  AlignedVector<float> mixed_;  // of one sentence
};

}  // namespace elmo
