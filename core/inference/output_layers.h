// Which activations are handed out.
#pragma once

#include <cstdint>
#include <span>

#include "core/inference/batcher.h"
#include "core/inference/options.h"
#include "core/nn/scalar_mix.h"

namespace elmo {

/// What the sink is given for these options. RequestError as embed().
ActivationLayout activation_layout(const ModelOptions& model, const EmbedOptions& options);

/// What a token's rows look like; activation_layout is what becomes of them where they are pooled.
ActivationLayout token_layout(const ModelOptions& model, const EmbedOptions& options);

/// Makes of a batch's activations what was asked for. Immutable; any thread.
class OutputLayers {
 public:
  /// RequestError for mix weights of another number than the model has layers. `with_boundaries`:
  /// the batches' rows include the boundaries.
  OutputLayers(const ModelOptions& model, const EmbedOptions& options, bool with_boundaries);

  /// Moves the selected rows of all kept tokens from `activations` to `selected` and adds the
  /// boundaries to the sentences where they are kept. Takes memory beside `activations` only where
  /// layers are mixed or one of them is taken.
  void apply(Batch& batch) const;

 private:
  // `to` may lie in the same memory, at `from` or before it, where all layers are handed out.
  void take_rows(const Sentence& sentence, const float* from, float* to) const;

  LayerSelection layers_;
  LayerWeights weights_;
  bool keep_boundaries_;
  bool drop_boundaries_;
  std::int64_t width_;         // P
  std::int64_t row_values_;    // of a token's activations
  std::int64_t token_values_;  // of a token's selected rows
};

}  // namespace elmo
