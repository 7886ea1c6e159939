// The output rows of a batch: selected or mixed layers of each token, or pooled units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/inference/activations.h"
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

/// Pools batch by batch. The result does not depend on where batches end. Only kept tokens count,
/// and a unit that keeps nothing has no row. Memory: one row, and the rows since clear(). One
/// thread.
class UnitPooling {
 public:
  /// `layout`: the layout of the tokens' activations.
  UnitPooling(const ActivationLayout& layout, PoolOptions options);

  /// Adds the tokens of the next batch.
  void add(const ActivationBatch& batch);

  /// Ends the current unit and adds its row. Later tokens belong to another unit.
  void end_unit();

  /// The units that have ended since clear(), and their vectors [rows, R, W].
  std::span<const PooledRow> rows() const { return rows_; }
  std::span<const float> values() const { return values_; }
  void clear();

 private:
  void begin_unit(const Sentence& sentence, std::uint64_t number);
  void add_token(const float* values);

  PoolOptions options_;
  std::size_t row_count_;  // R
  std::size_t width_;      // W before pooling
  std::optional<PooledRow> unit_;
  // [R, W]. For max, the maximum so far. For first_last, [R, 2 · W]: the first and the last token.
  std::vector<double> sums_;
  std::vector<PooledRow> rows_;
  std::vector<float> values_;
};

}  // namespace elmo
