// The biLM written plainly from its equations, one number at a time, in double precision. Tests
// compare the fast implementation with it. It shares only the structs that describe a model with
// core.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "tests/reference/equations.h"

namespace elmo {

/// [token][row][P], rows x, forward_1, backward_1, …, forward_L, backward_L.
using ReferenceActivations = std::vector<std::vector<std::vector<double>>>;

/// Immutable.
class ReferenceBilm {
 public:
  /// `words`: a word-level model's words in row order; empty for other models.
  ReferenceBilm(ModelOptions options, const Parameters& parameters,
                std::vector<std::string> words = {});

  ReferenceState zero_state() const;

  /// Computes the sentence `<S>` tokens `</S>` beginning from `state`, which becomes the state
  /// after it: forward after `</S>`, backward after `<S>`. If `boundaries` is true, the result also
  /// has the rows of the two boundaries, first and last.
  ReferenceActivations activations(const std::vector<std::string>& tokens, ReferenceState& state,
                                   bool boundaries) const;

 private:
  std::vector<double> token_vector(std::string_view token) const;
  std::vector<double> word_row(std::string_view word) const;
  std::vector<std::vector<double>> lstm_layer(int direction, std::int64_t layer,
                                              const std::vector<std::vector<double>>& inputs,
                                              ReferenceCellState& state) const;

  ModelOptions options_;
  ReferenceParameters parameters_;
  std::vector<std::string> words_;
};

/// h_0 = [x; x], h_1 = [forward_1; backward_1], …: [layer][token][2P].
std::vector<std::vector<std::vector<double>>> reference_layers(
    const ReferenceActivations& activations);

/// The last layer: [token][2P].
std::vector<std::vector<double>> reference_top(const ReferenceActivations& activations);

/// gamma · Σ softmax(weights)_j · h_j, [token][2P] (Peters et al. 2018, equation 1). If
/// `layer_norm` is true, each h_j is first normalized to mean 0 and variance 1 over all numbers of
/// all given tokens (epsilon 1e-12).
std::vector<std::vector<double>> reference_mix(const ReferenceActivations& activations,
                                               const std::vector<double>& weights, double gamma,
                                               bool layer_norm);

/// The mean of the layers, which is the mix with equal weights and gamma 1.
std::vector<std::vector<double>> reference_average(const ReferenceActivations& activations,
                                                   bool layer_norm);

}  // namespace elmo
