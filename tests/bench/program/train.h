// Measurements of `elmo-bench --train`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/program/result.h"

namespace elmo {

struct TrainBenchResult {
  std::string model;
  double flop_per_token = 0.0;           ///< see tests/bench/program/training_cost.h
  double flop_per_distinct_token = 0.0;  ///< per distinct token of a batch
  int threads = 0;
  std::string text;
  std::int64_t lanes = 0;
  std::int64_t unroll = 0;
  std::int64_t samples = 0;
  double distinct_share = 0.0;  ///< distinct tokens of a batch, per predicted token
  double peak = 0.0;            ///< operations per second: the median of `peaks`
  std::vector<double> peaks;    ///< measured before, between and after
  BenchStage train;             ///< predicted tokens (in each direction) per second
};

/// Measures training steps on the text, with the default options of `elmo train`. Returns nothing
/// if `stop` became true. Errors: as in core and io.
std::optional<TrainBenchResult> measure_training(
    const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
    const std::atomic<bool>& stop);

}  // namespace elmo
