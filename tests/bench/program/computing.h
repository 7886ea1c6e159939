// How long computing takes: the stages of the model, on all workers.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/team.h"

namespace elmo {

/// Tokens that lstm_seconds() and fused_lstm_seconds() put through the LSTMs on each worker: as
/// many lanes as a full batch has, and steps enough for a step's cost to show, but few enough for
/// the fused layer, which keeps the sums of all steps.
extern const std::uint64_t kLstmTokens;

/// Numbers of a token's activations, in all rows.
std::size_t row_values(const Bilm& model);

/// Seconds of oneDNN's fused LSTM layers, without clips, at the shapes of ours.
double fused_lstm_seconds(const Measuring& measuring, Team& team, const LstmOptions& lstm,
                          Precision precision);

/// Seconds of both directions, with all lanes taken.
double lstm_seconds(const Measuring& measuring, Team& team, const Bilm& model);

/// Seconds of the token encoder for all of `distinct`.
double encoder_seconds(const Measuring& measuring, Team& team, const Bilm& model,
                       std::span<const std::string> distinct);

/// A sentence alone, as a reader at the end of a pipe waits for it.
struct SentenceTimes {
  std::uint64_t tokens = 0;
  double seconds = 0.0;
  double encoder_seconds = 0.0;        ///< a part of them
  double stream_seconds = 0.0;         ///< reading the recurrent weights from memory, once a token
  double read_bytes_per_second = 0.0;  ///< what memory reaches with `threads`
};

/// Of a sentence made of the first of `distinct`, of which there is at least one.
SentenceTimes sentence_times(const Measuring& measuring, Team& team, const Bilm& model,
                             std::span<const std::string> distinct, int threads);

}  // namespace elmo
