// The computation of a run, its resources and its beginning: values that nothing changes.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// Divide each of the row's R vectors by its length (L2), unless it is 0.
  bool normalize = false;
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

// More than any machine has or can use.
inline constexpr int kMaxThreads = 1024;
inline constexpr int kMaxStateLanes = 65536;  ///< carry only

/// The computation of embed(): the activations of a token, and the rows that they become.
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
};

/// With which threads and memory embed() computes. The numbers do not depend on it.
struct Resources {
  /// Tokens computed together, including computed boundaries; 0: chosen from the model and the
  /// memory.
  std::size_t batch_tokens = 0;
  int workers = 0;  ///< directions of batches computed at once; with fewer than `threads`, several
                    ///< threads divide the sentences of one; 0: as many as `threads`
  int threads = 0;  ///< total number of computing threads, at least `workers`; 0: one per core
  /// Memory in bytes for batches, workspaces and token vectors, excluding the model; 0: half of
  /// available_memory(). See plan_memory.
  std::uint64_t memory_bytes = 0;
  std::size_t encoder_cache_bytes = std::size_t{128} << 20;  ///< maximum size of the cached token
                                                             ///< vectors
};

/// Where embed() begins. The caller skips the sentences before.
struct Beginning {
  std::uint64_t first_sentence = 0;    ///< number of the first sentence
  std::vector<float> carried_state{};  ///< SegmentEnd::carried_state before it; empty: zero
};

}  // namespace elmo
