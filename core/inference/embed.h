// The pipeline: sentences in, activations out, in input order, in bounded memory.
//
//   source ─► batches ─► token vectors ─► forward │ backward LSTMs ─► rows ─► sink
//   (reader thread)      (threads: one job or more per batch and direction)  (calling thread)
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "core/inference/activations.h"
#include "core/inference/options.h"
#include "core/inference/output_layers.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"

namespace elmo {

/// Progress of a run. Counts include what was written to the sink and the sentences without kept
/// tokens before that.
struct EmbedProgress {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;           ///< boundaries not counted
  std::uint64_t kept_sentences = 0;   ///< sentences with a kept token, and empty ones that are kept
  std::uint64_t kept_tokens = 0;      ///< including boundaries if they are kept
  std::uint64_t segments = 0;         ///< completed segments
  std::uint64_t distinct_tokens = 0;  ///< token vectors computed; those recomputed after
                                      ///< eviction count again
  std::uint64_t truncated_tokens = 0;  ///< tokens longer than the model's maximum of characters
  std::uint64_t unknown_tokens = 0;    ///< word-level models: tokens not in the vocabulary
  double computed_tokens = 0;          ///< `tokens` plus the completed share of batches in
                                       ///< progress
};

/// Called on the calling thread after every batch and a few times a second in between.
using ProgressListener = std::function<void(const EmbedProgress&)>;

/// The result of a run.
struct EmbedResult {
  EmbedProgress progress;
  bool completed = false;  ///< false if it was stopped
};

/// A stop flag that is never set.
inline constexpr std::atomic<bool> kNeverStop{false};

// Defaults of an EmbedJob.
inline const EmbedOptions kEmbedOptions;
inline const Resources kResources;
inline const Beginning kBeginning;

/// Input, output and settings of embed(). All that it refers to must outlive the call.
struct EmbedJob {
  const Bilm& model;
  SentenceSource& source;
  ActivationSink& sink;
  const EmbedOptions& options = kEmbedOptions;
  const Resources& resources = kResources;
  const std::atomic<bool>& stop = kNeverStop;
  ProgressListener listener = nullptr;
  const Beginning& beginning = kBeginning;
};

/// Reads the source to its end and writes its activations to the sink in input order. A sentence's
/// activations depend only on the sentence, the model and the initial state. A sentence is computed
/// at once, so its length determines the memory: see SentenceCutter. For a sentence with selected
/// tokens (Sentence::keep), computes only the steps that they depend on, unless state is carried or
/// layers are normalized. Skips a sentence without kept tokens, unless state is carried; the sink
/// does not receive it. Once `stop` is true, stops reading and writing and returns;
/// EmbedResult::completed says whether the run was completed. RequestError for invalid options (a
/// number of mix weights other than L+1, lanes < 1, …). NumericError, naming the sentence, for
/// activations outside SinkTraits::value_limit. Rethrows an exception of source, sink or a worker
/// after stopping the run.
EmbedResult embed(const EmbedJob& job);

}  // namespace elmo
