// How well a biLM predicts a text, by the full softmax over its vocabulary.
//
// Forward, the activation at <S>, w_1, …, w_n predicts w_1, …, w_n, </S>; backward, the one at
// </S>, w_n, …, w_1 predicts w_n, …, w_1, <S>: n + 1 predictions of each direction a sentence. A
// token that the softmax's vocabulary does not hold is predicted as <UNK>; the character encoder
// still reads its characters.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/inference/source.h"
#include "core/model/bilm.h"
#include "core/model/softmax_layer.h"

namespace elmo {

struct PerplexityOptions {
  int threads = 0;  ///< that compute, in all; 0: one per core
  InitialState initial_state = InitialState::zero;
  int lanes = 1;                 ///< carry only
  std::uint64_t max_tokens = 0;  ///< stop reading after this many tokens; 0: read all
};

/// Σ ln p over the predictions of one direction.
struct LogProbability {
  double all = 0.0;
  double unknown = 0.0;  ///< the share in it of the tokens predicted as <UNK>
};

/// What was predicted, and how well. A perplexity is NaN where there was nothing to predict.
struct PerplexityResult {
  std::uint64_t sentences = 0;  ///< without the empty ones, in which nothing is predicted
  std::uint64_t tokens = 0;     ///< boundaries not counted
  std::uint64_t unknown = 0;    ///< of the tokens: predicted as <UNK>
  std::uint64_t truncated = 0;  ///< of the tokens: longer than the model's maximum of characters
  std::array<LogProbability, 2> log_probability;  ///< 0 forward, 1 backward
  bool completed = false;                         ///< false: it was stopped

  /// Predictions of each direction: every token and one boundary a sentence.
  std::uint64_t predictions() const { return tokens + sentences; }

  /// exp(−Σ ln p / predictions) of a direction, 0 forward and 1 backward.
  double perplexity(int direction) const;
  /// The same without the predictions of unknown tokens.
  double known_perplexity(int direction) const;

  /// Perplexity at the mean loss of both directions, exp((loss_forward + loss_backward) / 2), which
  /// is the geometric mean of the two perplexities; bilm-tf reports its held-out perplexity so.
  double average() const;
  double known_average() const;

 private:
  double loss(int direction) const;        // mean, in nats
  double known_loss(int direction) const;  // likewise, without the unknown tokens
};

/// A sentence and how it was predicted. Views: valid during the call only.
struct SentencePrediction {
  std::uint64_t number;                   ///< of the sentence in the input, empty ones counted
  const Sentence& sentence;               ///< with <S> and </S> as its first and last token
  std::span<const double> forward;        ///< [n + 1] ln p of tokens 1 … n + 1
  std::span<const double> backward;       ///< [n + 1] ln p of tokens 0 … n
  std::span<const std::int32_t> targets;  ///< [n + 2] row of each token in the softmax
};

/// Called on the calling thread, in input order, for each sentence that is not empty. It is taken
/// to be awaited (ActivationSink::is_awaited): no sentence is held back for those that have not
/// come.
using PredictionListener = std::function<void(const SentencePrediction&)>;

/// Reads `source` to its end and predicts each token of each sentence. The result depends on the
/// sentences, the model, the softmax and the initial state only: sums are taken in double and in
/// input order. The softmax is computed in float32 whatever the model's precision. Once `stop` is
/// true it reads no further and returns what it has. Either listener may be empty.
/// InputError where the softmax is not of the model's width; else errors as embed().
PerplexityResult perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                            const PerplexityOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress, const PredictionListener& listener);

}  // namespace elmo
