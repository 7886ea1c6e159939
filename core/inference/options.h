// What activations a run computes, and with which resources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/pooling.h"

namespace elmo {

/// Which activations of a token are handed out.
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

/// The LSTM state that a sentence starts from.
enum class InitialState {
  zero,  ///< zero: depends on nothing
  warm,  ///< the state after warm_text(): the same for every sentence
  carry  ///< what the sentence `lanes` sentences earlier left, as the reference implementations do
};

inline constexpr auto kInitialStates = enum_table<InitialState>(
    {{"zero", InitialState::zero}, {"warm", InitialState::warm}, {"carry", InitialState::carry}});

struct EmbedOptions {
  LayerSelection layers = LayerSelection::all;
  std::vector<float> mix_weights;  ///< w_0 … w_L before the softmax; mix only, empty: all zero
  float gamma = 1.0F;              ///< mix only
  /// Normalize each h_j over the sentence, boundaries left out, before averaging or mixing.
  bool layer_norm = false;
  InitialState initial_state = InitialState::zero;
  int lanes = 1;                      ///< carry only
  bool boundaries = false;            ///< keep the activations of `<S>` and `</S>`
  std::optional<PoolOptions> pool{};  ///< a row for each of these units; nothing: for each token
  /// Tokens computed together, boundaries that are computed counted; 0: from the model and the
  /// memory.
  std::size_t batch_tokens = 0;
  int workers = 0;  ///< batches computed at once; 0: as many as `threads`
  int threads = 0;  ///< threads that compute, in all; 0: one per core
  /// Memory for all that is in work (batches, workspaces, token vectors), in bytes, beside the
  /// model; 0: half of available_memory(). See plan_memory.
  std::uint64_t memory_bytes = 0;
  std::uint64_t segment_bytes = 0;  ///< a segment ends before it outgrows this; 0: one segment
  std::size_t value_bytes = 4;      ///< bytes of one value in the sink, for segment_bytes
  /// Least magnitude that the sink cannot hold; activations of that or more, and those that are no
  /// numbers, end the run. Infinity: all that are finite can be written.
  float value_limit = std::numeric_limits<float>::infinity();
  std::size_t encoder_cache_bytes = std::size_t{128} << 20;  ///< token vectors kept, at most

  // Where a run is taken up: the sentences before `first_sentence` are read and dropped by the
  // caller; their number only serves for counting.
  std::uint64_t first_sentence = 0;
  std::vector<float>
      carried_state;  ///< SegmentEnd::carried_state of the segment before; empty: zero
};

}  // namespace elmo
