// The pipeline: sentences in, activations out, in input order, in bounded memory.
//
//   source ─► batches ─► token vectors ─► forward │ backward LSTMs ─► rows ─► sink
//   (reader thread)      (workers: one job per batch and direction)          (calling thread)
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "core/inference/options.h"
#include "core/inference/output_layers.h"
#include "core/inference/sink.h"
#include "core/inference/source.h"
#include "core/model/bilm.h"

namespace elmo {

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

/// How a run ended.
struct EmbedResult {
  EmbedProgress progress;
  bool completed = false;  ///< false: it was stopped
};

/// Reads `source` to its end and hands its activations to `sink` in input order. A sentence's
/// activations depend on the sentence, the model, and the initial state only. A sentence is
/// computed at once, so its length bounds the memory: see SentenceCutter. Of a sentence that tells
/// which of its tokens are kept, only steps that reach one of them are computed, unless state is
/// carried or layers are normalized; where none is, the sentence is passed over and `sink` does not
/// see it, unless state is carried. Once `stop` is true it
/// reads no further, hands nothing more over and returns; `completed` says which it was.
/// RequestError for options that cannot be (mix weights of another number than L+1, lanes < 1, …).
/// NumericError, naming the sentence, for activations that options.value_limit rules out.
/// An exception of source, sink or a worker stops everything and is thrown here.
EmbedResult embed(const Bilm& model, SentenceSource& source, ActivationSink& sink,
                  const EmbedOptions& options, const std::atomic<bool>& stop,
                  const ProgressListener& listener);

}  // namespace elmo
