// The surprisal of each word of a text, −log p(word | its context) (Levy 2008), and minimal pairs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
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

// Minimal pairs: does a model give the acceptable sentence of a pair the larger probability
// (Warstadt et al. 2020, "simple LM method")?
//
// A file is JSON Lines or a JSON array, a pair per record, with the sentences in two fields; or
// lines of the good and the bad sentence, separated by a TAB. Files are decompressed. Blank lines
// are skipped. Each text is read as one sentence.

/// `input` names the files and the tokenizer; the rest of it is not used.
struct PairRequest : SurprisalRequest {
  std::string good = "sentence_good";  ///< fields of the sentences
  std::string bad = "sentence_bad";
  /// Fields to count by. Empty: BLiMP's UID and linguistics_term, where a pair has them.
  std::vector<std::string> by;
};

/// The direction of a sum, or both.
enum PairScore : std::size_t { kForward, kBackward, kBoth };
inline constexpr std::size_t kPairScores = 3;

/// A pair, and the surprisals of its sentences, with their boundaries.
struct MinimalPair {
  std::uint64_t number = 0;  ///< in the input, from 0
  std::string file;
  std::uint64_t line = 0;
  std::vector<std::string> values;  ///< of the fields to count by; empty where it has none
  std::array<double, kPairScores> good{};
  std::array<double, kPairScores> bad{};
};

/// The pairs with the same value of a field.
struct PairCount {
  std::string field;  ///< empty: all pairs
  std::string value;
  std::uint64_t pairs = 0;
  std::array<std::uint64_t, kPairScores> correct{};  ///< the good sentence has the smaller sum
  std::array<std::uint64_t, kPairScores> ties{};     ///< equal sums, which are not correct
};

/// The counts of all pairs.
struct PairSummary {
  std::vector<PairCount> counts;  ///< of all pairs; then by field, sorted by value
  PredictedText text;
};

/// Called with each pair, in order, and the names of MinimalPair::values.
using PairListener =
    std::function<void(const std::vector<std::string>& fields, const MinimalPair& pair)>;

/// Compares the sentences of all pairs. InputError, naming file and line, for a malformed record, a
/// text without words, a missing field of PairRequest::by, and a file without pairs; other errors
/// as run_surprisal.
PairSummary run_minimal_pairs(const PairRequest& request, RunListener& listener,
                              const PairListener& found);

}  // namespace elmo
