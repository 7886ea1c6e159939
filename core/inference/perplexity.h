// Perplexity of a biLM on a text; see word_prediction.h for what is predicted.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/inference/word_prediction.h"

namespace elmo {

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
