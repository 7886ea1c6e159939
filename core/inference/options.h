// Options of a run: the activations to compute and the resources to use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// How the vectors of a unit's tokens are pooled. A unit without tokens becomes zeros.
enum class PoolKind {
  mean,       ///< the mean, summed in double in token order and rounded once
  max,        ///< the maximum of each column
  first_last  ///< the first and the last token's vectors, concatenated: 2W values. As flair pools
              ///< subtokens ("first_last") and AllenNLP spans (EndpointSpanExtractor, "x,y"; Lee et
              ///< al. 2017)
};

inline constexpr auto kPoolKinds = enum_table<PoolKind>(
    {{"mean", PoolKind::mean}, {"max", PoolKind::max}, {"first-last", PoolKind::first_last}});

enum class PoolUnit { sentence, document };

inline constexpr auto kPoolUnits =
    enum_table<PoolUnit>({{"sentence", PoolUnit::sentence}, {"document", PoolUnit::document}});

/// Pooling: the tokens that share a row, and how the row is computed.
struct PoolOptions {
  PoolKind kind = PoolKind::mean;
  PoolUnit unit = PoolUnit::sentence;
  bool normalize =
      false;  ///< divide each of the row's R vectors by its length (L2), unless it is 0
};

/// The activations of a token to output.
enum class LayerSelection {
  all,      ///< R = 2L+1 rows of P: x, forward_1, backward_1, …
  top,      ///< one row of 2P: [forward_L; backward_L]
  average,  ///< one row of 2P: the mean over the layers h_0 = [x; x], h_1, …, h_L
  mix       ///< one row of 2P: gamma · Σ softmax(w)_j · h_j (Peters et al. 2018, equation 1)
};

inline constexpr auto kLayerSelections =
    enum_table<LayerSelection>({{"all", LayerSelection::all},
                                {"top", LayerSelection::top},
                                {"average", LayerSelection::average},
                                {"mix", LayerSelection::mix}});

/// The LSTM state at the start of a sentence.
enum class InitialState {
  zero,  ///< all zeros
  warm,  ///< the state after warm_text(), the same for every sentence
  carry  ///< the final state of the sentence `lanes` sentences earlier, as in the reference
         ///< implementations
};

inline constexpr auto kInitialStates = enum_table<InitialState>(
    {{"zero", InitialState::zero}, {"warm", InitialState::warm}, {"carry", InitialState::carry}});

/// The activations that embed() computes, and the threads and memory that it uses.
struct EmbedOptions {
  LayerSelection layers = LayerSelection::all;
  std::vector<float> mix_weights{};  ///< w_0 … w_L before the softmax; mix only, empty: all zero
  float gamma = 1.0F;                ///< mix only
  /// Normalize each h_j over the sentence, boundaries left out, before averaging or mixing.
  bool layer_norm = false;
  InitialState initial_state = InitialState::zero;
  int lanes = 1;                      ///< carry only
  bool boundaries = false;            ///< keep the activations of `<S>` and `</S>`
  std::optional<PoolOptions> pool{};  ///< one row per unit; nullopt: one row per token
  /// Tokens computed together, including computed boundaries; 0: chosen from the model and the
  /// memory.
  std::size_t batch_tokens = 0;
  int workers = 0;  ///< directions of batches computed at once; with fewer than `threads`, several
                    ///< threads divide the sentences of one; 0: as many as `threads`
  int threads = 0;  ///< total number of computing threads, at least `workers`; 0: one per core
  /// Memory in bytes for batches, workspaces and token vectors, excluding the model; 0: half of
  /// available_memory(). See plan_memory.
  std::uint64_t memory_bytes = 0;
  std::uint64_t segment_bytes = 0;  ///< a segment ends before it exceeds this; 0: one segment
  std::size_t value_bytes = 4;      ///< bytes of one value in the sink, for segment_bytes
  /// Smallest magnitude that the sink cannot represent. Activations of this magnitude or more, or
  /// NaN, end the run. Infinity: the sink can represent all finite values.
  float value_limit = std::numeric_limits<float>::infinity();

  /// A consumer waits for the output, for example at the other end of a pipe: output is not held
  /// back to wait for more sentences. The numbers do not depend on it, except with `carry`.
  bool awaited = false;
  std::size_t encoder_cache_bytes = std::size_t{128} << 20;  ///< maximum size of the cached token
                                                             ///< vectors

  // Where a run resumes. The caller skips the sentences before `first_sentence`; the number is used
  // only for counting.
  std::uint64_t first_sentence = 0;
  /// SegmentEnd::carried_state of the previous segment; empty: zero.
  std::vector<float> carried_state{};
};

}  // namespace elmo
