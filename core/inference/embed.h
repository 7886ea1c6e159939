// The pipeline: sentences in, activations out, in input order, in bounded memory.
//
//   source ─► batches ─► token vectors ─► forward │ backward LSTMs ─► rows ─► sink
//   (reader thread)      (workers: one job per batch and direction)          (calling thread)
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/inference/pooling.h"
#include "core/inference/sink.h"
#include "core/inference/source.h"
#include "core/model/bilm.h"
#include "core/model/start_state.h"

namespace elmo {

/// Which activations of a token are handed out.
enum class LayerSelection {
  all,      ///< R = 2L+1 rows of P: x, forward_1, backward_1, …
  top,      ///< one row of 2P: [forward_L; backward_L]
  average,  ///< one row of 2P: the mean over the layers h_0 = [x; x], h_1, …, h_L
  mix       ///< one row of 2P: gamma · Σ softmax(w)_j · h_j (Peters et al. 2018, equation 1)
};

/// The LSTM state that a sentence starts from.
enum class InitialState {
  zero,  ///< zero: depends on nothing
  warm,  ///< the state after warm_text(): the same for every sentence
  carry  ///< what the sentence `lanes` sentences earlier left, as the reference implementations do
};

struct EmbedOptions {
  LayerSelection layers = LayerSelection::all;
  std::vector<float> mix_weights;  ///< w_0 … w_L before the softmax; mix only, empty: all zero
  float gamma = 1.0F;              ///< mix only
  /// Normalise each h_j over the sentence, boundaries left out, before averaging or mixing.
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

/// What a run has done so far. Counts are of what the sink has been given, and of sentences without
/// a kept token that came before.
struct EmbedProgress {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;               ///< boundaries not counted
  std::uint64_t kept_sentences = 0;       ///< with a kept token, or with all of none
  std::uint64_t kept_tokens = 0;          ///< likewise; boundaries counted where they are kept
  std::uint64_t segments = 0;             ///< ended
  std::uint64_t distinct_tokens = 0;      ///< token vectors computed, evicted ones again
  std::uint64_t truncated_tokens = 0;     ///< tokens longer than the model's maximum of characters
  std::uint64_t unknown_tokens = 0;       ///< word-level models: tokens not in the vocabulary
  std::uint64_t duplicate_sentences = 0;  ///< copied from the same sentence in their batch
  double computed_tokens = 0;             ///< `tokens`, and the share done of the batches in work
};

/// Called on the calling thread after every batch and a few times a second between.
using ProgressListener = std::function<void(const EmbedProgress&)>;

/// What the sink will be given for these options. RequestError as embed().
ActivationLayout activation_layout(const ModelOptions& model, const EmbedOptions& options);

/// How a run ended.
struct EmbedResult {
  EmbedProgress progress;
  bool completed = false;  ///< false: it was stopped
};

/// Reads `source` to its end and hands its activations to `sink` in input order. A sentence's
/// activations depend on the sentence, the model, and the initial state only. A sentence is
/// computed at once, so its length bounds the memory: see SentenceCutter. Of a sentence that tells
/// which of its tokens are kept, only steps that reach one of them are computed, unless state is
/// carried or layers are normalised; where none is, the sentence is passed over and `sink` does not
/// see it, unless state is carried. Once `stop` is true it
/// reads no further, hands nothing more over and returns; `completed` tells which it was.
/// RequestError for options that cannot be (mix weights of another number than L+1, lanes < 1, …).
/// NumericError, naming the sentence, for activations that options.value_limit rules out.
/// An exception of source, sink or a worker stops everything and is thrown here.
EmbedResult embed(const Bilm& model, SentenceSource& source, ActivationSink& sink,
                  const EmbedOptions& options, const std::atomic<bool>& stop,
                  const ProgressListener& listener);

}  // namespace elmo
