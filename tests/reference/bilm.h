// The biLM written plainly from its equations, one number at a time, in double precision: what the
// fast one is held against. It shares nothing with core but the structs that describe a model.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"

namespace elmo {

/// Character ids of a token: [begin, bytes…, end, padding…], exactly `length` of them, 0-based rows
/// of the character embedding. Bytes past length - 2 are cut.
std::vector<int> reference_char_ids(std::string_view token, std::int64_t length);

/// What one layer of one direction remembers: the recurrent h of P numbers (before any skip
/// connection) and the cell c of D.
struct ReferenceCellState {
  std::vector<double> h;
  std::vector<double> c;
};

/// The states of all layers, [direction][layer]; direction 0 is forward.
using ReferenceState = std::array<std::vector<ReferenceCellState>, 2>;

/// [token][row][P], rows x, forward_1, backward_1, …, forward_L, backward_L.
using ReferenceActivations = std::vector<std::vector<std::vector<double>>>;

/// Immutable; `parameters` has to outlive it.
class ReferenceBilm {
 public:
  /// `words`: the words of a word-level model in the order of their rows; empty for any other.
  ReferenceBilm(ModelOptions options, const Parameters& parameters,
                std::vector<std::string> words = {});

  ReferenceState zero_state() const;

  /// Computes the sentence `<S>` tokens `</S>` beginning from `state`, which becomes the state
  /// after it: forward after `</S>`, backward after `<S>`. The rows of the two boundaries are part
  /// of the result where `boundaries` is true, as its first and last.
  ReferenceActivations activations(const std::vector<std::string>& tokens, ReferenceState& state,
                                   bool boundaries) const;

 private:
  std::vector<double> token_vector(std::string_view token) const;
  std::vector<double> encode(const std::vector<int>& char_ids) const;
  std::vector<double> word_row(std::string_view word) const;
  std::vector<double> lstm_step(int direction, std::int64_t layer, const std::vector<double>& x,
                                ReferenceCellState& state) const;
  std::vector<std::vector<double>> lstm_layer(int direction, std::int64_t layer,
                                              const std::vector<std::vector<double>>& inputs,
                                              ReferenceCellState& state) const;

  ModelOptions options_;
  const Parameters& parameters_;
  std::vector<std::string> words_;
};

/// h_0 = [x; x], h_1 = [forward_1; backward_1], …: [layer][token][2P].
std::vector<std::vector<std::vector<double>>> reference_layers(
    const ReferenceActivations& activations);

/// The last of the layers: [token][2P].
std::vector<std::vector<double>> reference_top(const ReferenceActivations& activations);

/// gamma · Σ softmax(weights)_j · h_j, [token][2P] (Peters et al. 2018, equation 1). Where
/// `layer_norm` is true each h_j is first brought to mean 0 and variance 1 over all numbers of all
/// tokens given (epsilon 1e-12).
std::vector<std::vector<double>> reference_mix(const ReferenceActivations& activations,
                                               const std::vector<double>& weights, double gamma,
                                               bool layer_norm);

/// The mean of the layers, which is the mix with equal weights and gamma 1.
std::vector<std::vector<double>> reference_average(const ReferenceActivations& activations,
                                                   bool layer_norm);

}  // namespace elmo
