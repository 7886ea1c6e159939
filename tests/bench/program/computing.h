// Times of the stages of the model, on all threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/team.h"

namespace elmo {

/// Number of tokens per thread in lstm_seconds() and fused_lstm_seconds(). It has as many lanes as
/// a full batch, enough steps to measure the cost of a step, and few enough for the fused layer,
/// which keeps the sums of all steps.
extern const std::uint64_t kLstmTokens;

/// Returns the number of values in a token's activations, over all rows.
std::size_t row_values(const Bilm& model);

/// Seconds of oneDNN's fused LSTM layers, without clips, with our shapes.
double fused_lstm_seconds(const Measuring& measuring, Team& team, const LstmOptions& lstm,
                          Precision precision);

/// Seconds of both directions, with all lanes in use.
double lstm_seconds(const Measuring& measuring, Team& team, const Bilm& model);

/// Seconds of the token encoder for all of `distinct`.
double encoder_seconds(const Measuring& measuring, Team& team, const Bilm& model,
                       std::span<const std::string> distinct);

/// Times for a single sentence, as when a reader waits at the end of a pipe.
struct SentenceTimes {
  std::uint64_t tokens = 0;
  double seconds = 0.0;
  double encoder_seconds = 0.0;  ///< part of `seconds`
  double stream_seconds = 0.0;   ///< reading the recurrent weights from memory, once per token
  double read_bytes_per_second = 0.0;  ///< speed of memory with `threads`
};

/// Times for one sentence: the first tokens of `distinct`, which must not be empty.
SentenceTimes sentence_times(const Measuring& measuring, Team& team, const Bilm& model,
                             std::span<const std::string> distinct, int threads);

}  // namespace elmo
