// The surprisal of each word of a text: −log p(word | its context) (Levy 2008).
#pragma once

#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "core/enum_table.h"
#include "core/inference/sentence.h"
#include "io/engine/listener.h"
#include "io/engine/word_prediction/predicting_model.h"

namespace elmo {

/// The base of the logarithm, as the factor from natural logarithms.
inline constexpr auto kLogBases =
    enum_table<double>({{"2", std::numbers::log2e}, {"e", 1.0}, {"10", std::numbers::log10e}});

struct SurprisalRequest : WordPredictionRequest {
  double base = std::numbers::log2e;  ///< one of kLogBases
  bool boundaries = false;            ///< report <S> and </S>, too
};

/// A sentence and the surprisal of its tokens. Views, valid only during the call.
struct SentenceSurprisal {
  const SentencePrediction& prediction;  ///< the sentence has its boundaries, unless it is empty
  const std::vector<double>& forward;    ///< [n + 2]; NaN for <S>
  const std::vector<double>& backward;   ///< [n + 2]; NaN for </S>
  std::size_t begin;                     ///< first token to report
  std::size_t end;                       ///< after the last one
  double forward_sum;                    ///< of these tokens
  double backward_sum;
};

using SurprisalListener = std::function<void(const SentenceSurprisal&)>;

/// Computes the surprisals of a text and calls `listener` with each sentence, also with empty ones.
/// Notes how many words are not in the vocabulary. Errors: as predict_text.
PredictedText run_surprisal(const SurprisalRequest& request, RunListener& listener,
                            const SurprisalListener& found);

}  // namespace elmo
