// Predicts each word of a text from its context, with the full softmax over the vocabulary, and the
// perplexity of the text.
//
// Forward, the activations at <S>, w_1, …, w_n predict w_1, …, w_n, </S>. Backward, the activations
// at </S>, w_n, …, w_1 predict w_n, …, w_1, <S>. So each sentence has n + 1 predictions per
// direction. A token outside the softmax's vocabulary is predicted as <UNK>; the character encoder
// still reads its characters.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "core/model/parameters.h"

namespace elmo {

/// Options of predict_words(): threads, initial states and the length of the text.
struct WordPredictionOptions {
  int threads = 0;  ///< computing threads in total; 0: one per core
  InitialState initial_state = InitialState::zero;
  int lanes = 1;                 ///< carry only
  std::uint64_t max_tokens = 0;  ///< stop reading after this many tokens; 0: read all
  bool awaited = false;          ///< see SinkTraits::awaited
};

/// A sentence and its predictions. Views, valid only during the call.
struct SentencePrediction {
  std::uint64_t number;              ///< sentence number in the input
  const Sentence& sentence;          ///< unless it is empty, <S> and </S> are its first and last
                                     ///< token
  std::span<const double> forward;   ///< [n + 1] ln p of tokens 1 … n + 1; empty without tokens
  std::span<const double> backward;  ///< [n + 1] ln p of tokens 0 … n; empty without tokens
  std::span<const std::int32_t> targets;  ///< [n + 2] softmax row of each token
  std::int64_t unknown_row;               ///< softmax row of <UNK>

  /// Returns whether a token is not in the vocabulary.
  bool is_unknown(std::size_t token) const { return targets[token] == unknown_row; }
  /// Returns how many tokens from `begin` to `end` − 1 are not in the vocabulary.
  std::size_t unknown_tokens(std::size_t begin, std::size_t end) const {
    const auto tokens = targets.subspan(begin, end - begin);
    return static_cast<std::size_t>(std::ranges::count(tokens, unknown_row));
  }
};

/// Called on the calling thread, in input order, for each sentence.
using PredictionListener = std::function<void(const SentencePrediction&)>;

/// Reads `source` to its end and predicts each token of each sentence. The result for a sentence
/// depends only on the sentence, the model, the softmax and the initial state. A context that
/// occurs several times, such as the common beginning of two sentences, is computed once. The
/// softmax is computed in float32 whatever the model's precision. When `stop` becomes true, it
/// stops reading and returns. `progress` may be empty. InputError if the softmax does not have the
/// model's width; other errors as embed().
EmbedResult predict_words(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                          const WordPredictionOptions& options, const std::atomic<bool>& stop,
                          const ProgressListener& progress, const PredictionListener& listener);

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
  std::array<LogProbability, 2> log_probability;  ///< 0 forward, 1 backward
  bool completed = false;                         ///< false: stopped early

  /// Adds the predictions of a sentence.
  void add(const SentencePrediction& prediction);

  /// Predictions per direction: every token, and one boundary per sentence.
  std::uint64_t predictions() const { return tokens + sentences; }

  /// Perplexities may be infinite.
  Perplexity perplexity() const;
  /// The same without the predictions of unknown tokens.
  Perplexity known_perplexity() const;
};

/// Predicts `source` and adds up the log probabilities, in double precision and in input order.
/// Arguments and errors as predict_words().
PerplexityResult perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                            const WordPredictionOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress);

}  // namespace elmo
