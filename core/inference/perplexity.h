// Perplexity of a biLM on a text, with the full softmax over its vocabulary.
//
// Forward, the activations at <S>, w_1, …, w_n predict w_1, …, w_n, </S>. Backward, the activations
// at </S>, w_n, …, w_1 predict w_n, …, w_1, <S>. So each sentence has n + 1 predictions per
// direction. A token outside the softmax's vocabulary is predicted as <UNK>; the character encoder
// still reads its characters.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/kernels/packed_matrix.h"
#include "core/matrix.h"
#include "core/model/bilm.h"
#include "core/model/parameters.h"

namespace elmo {

/// Options of perplexity(): threads, initial states and the length of the text.
struct PerplexityOptions {
  int threads = 0;  ///< computing threads in total; 0: one per core
  InitialState initial_state = InitialState::zero;
  int lanes = 1;                 ///< carry only
  std::uint64_t max_tokens = 0;  ///< stop reading after this many tokens; 0: read all
};

/// Σ ln p over the predictions of one direction.
struct LogProbability {
  double all = 0.0;
  double unknown = 0.0;  ///< the part of `all` for tokens predicted as <UNK>
};

/// exp(−Σ ln p / predictions) of each direction. NaN if there was nothing to predict.
struct Perplexity {
  double forward = 0.0;
  double backward = 0.0;
  /// Perplexity at the mean loss of both directions, exp((loss_forward + loss_backward) / 2), which
  /// is the geometric mean of their perplexities. bilm-tf defines its held-out perplexity in this
  /// way.
  double average = 0.0;
};

/// Counts and log probabilities of all predictions.
struct PerplexityResult {
  std::uint64_t sentences = 0;  ///< non-empty sentences; empty ones have no predictions
  std::uint64_t tokens = 0;     ///< without sentence boundaries
  std::uint64_t unknown = 0;    ///< tokens predicted as <UNK>
  std::uint64_t truncated = 0;  ///< tokens longer than the model's maximum number of characters
  std::array<LogProbability, 2> log_probability;  ///< 0 forward, 1 backward
  bool completed = false;                         ///< false: stopped early

  /// Predictions per direction: every token, and one boundary per sentence.
  std::uint64_t predictions() const { return tokens + sentences; }

  /// Perplexities may be infinite.
  Perplexity perplexity() const;
  /// The same without the predictions of unknown tokens.
  Perplexity known_perplexity() const;
};

/// A sentence and its predictions. Views, valid only during the call.
struct SentencePrediction {
  std::uint64_t number;              ///< sentence number in the input, counting empty sentences
  const Sentence& sentence;          ///< <S> and </S> are its first and last token
  std::span<const double> forward;   ///< [n + 1] ln p of tokens 1 … n + 1
  std::span<const double> backward;  ///< [n + 1] ln p of tokens 0 … n
  std::span<const std::int32_t> targets;  ///< [n + 2] softmax row of each token
};

/// Called on the calling thread, in input order, for each non-empty sentence. With a listener,
/// results are awaited (SinkTraits::awaited): no sentence waits for later ones to arrive.
using PredictionListener = std::function<void(const SentencePrediction&)>;

/// Reads `source` to its end and predicts each token of each sentence. The result depends only on
/// the sentences, the model, the softmax and the initial state: sums are taken in double precision
/// and in input order. The softmax is computed in float32 whatever the model's precision. When
/// `stop` becomes true, it stops reading and returns the results so far. Either listener may be
/// empty. InputError if the softmax does not have the model's width; other errors as embed().
PerplexityResult perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                            const PerplexityOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress, const PredictionListener& listener);

}  // namespace elmo
