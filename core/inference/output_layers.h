// Mixes the layers of each token into one row, sentence by sentence.
//
// Selects the activations to output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/batcher.h"
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

/// Returns the layout of the sink's activations for these options. RequestError as embed().
ActivationLayout activation_layout(const ModelOptions& model, const EmbedOptions& options);

/// Returns the layout of a token's rows before pooling. activation_layout() is the layout after
/// pooling, if any.
ActivationLayout token_layout(const ModelOptions& model, const EmbedOptions& options);

/// Selects or mixes the rows of a batch's activations as requested. Immutable. Any thread.
class OutputLayers {
 public:
  /// RequestError if the number of mix weights is not the model's number of layers.
  /// `with_boundaries`: the batches' rows include the boundaries.
  OutputLayers(const ModelOptions& model, const EmbedOptions& options, bool with_boundaries);

  /// Moves the selected rows of all kept tokens from `activations` to `selected`, and adds kept
  /// boundaries to the sentences. Allocates memory besides `activations` only if layers are mixed
  /// or a single layer is selected.
  void apply(Batch& batch) const;

 private:
  // If all layers are output, `to` may be in the same memory, at or before `from`.
  void take_rows(const Sentence& sentence, const float* from, float* to) const;

  LayerSelection layers_;
  LayerWeights weights_;
  bool keep_boundaries_;
  bool drop_boundaries_;
  std::int64_t width_;         // P
  std::int64_t row_values_;    // per token, of the activations
  std::int64_t token_values_;  // per token, of the selected rows
};

}  // namespace elmo
