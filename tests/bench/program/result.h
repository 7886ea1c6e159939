// The options and results of `elmo-bench`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "io/engine/model.h"
#include "tests/bench/program/computing.h"

namespace elmo {

struct BenchFlags {
  ModelSpec model;
  std::string preset = "original";  ///< if `model` is empty
  std::vector<std::string> files;   ///< empty: a generated text
  std::uint64_t tokens = 20000;     ///< most tokens to read
  Precision precision = Precision::float32;
  int threads = 0;            ///< 0: one per core
  int repeat = 5;             ///< runs of each stage; the median is reported
  int embed_repeat = 1;       ///< runs of the whole of `embed`
  bool train = false;         ///< training instead of embedding
  bool task = false;          ///< training a tagger instead of embedding
  std::int64_t hidden = 200;  ///< hidden size of the tagger, per direction
  bool json = false;
  bool quiet = false;
};

/// The speed of one stage, and its share of the limit. For stages that compute, `share` is their
/// counted operations per second relative to the matmul peak. For the others, it is their tokens
/// per second relative to the LSTMs' tokens per second at the peak.
struct BenchStage {
  double per_second = 0.0;  ///< tokens; for the encoder, distinct tokens
  double share = 0.0;
};

struct BenchResult {
  std::string model;                    ///< path, or "original, random"
  double lstm_flop_per_token = 0.0;     ///< see core/model/options.h
  double encoder_flop_per_token = 0.0;  ///< per distinct token
  int threads = 0;
  double start_up_seconds = 0.0;  ///< loading cached files until the model can compute

  std::string text;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t distinct_tokens = 0;

  double peak = 0.0;          ///< operations per second: the median of `peaks`
  std::vector<double> peaks;  ///< in the order of measuring, between the stages

  std::optional<BenchStage> fused_lstm;  ///< empty in int8, which oneDNN lacks
  BenchStage lstm;
  BenchStage encoder;
  BenchStage tokenizer;
  BenchStage writer;
  double writer_bytes_per_second = 0.0;
  BenchStage embed;
  double embed_seconds = 0.0;

  SentenceTimes sentence;
  double latency_seconds = 0.0;  ///< from a sentence in a pipe to its activations

  /// Tokens per second of the LSTMs at the peak.
  double limit() const { return peak / lstm_flop_per_token; }
};

/// Measures everything. `tell` receives the name of each stage before it begins. Returns nothing if
/// `stop` became true. Errors: as in core and io.
std::optional<BenchResult> measure(const BenchFlags& flags,
                                   const std::function<void(const std::string&)>& tell,
                                   const std::atomic<bool>& stop);

}  // namespace elmo
