// Measurements of `elmo-bench --task`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/program/result.h"

namespace elmo {

struct TaskBenchResult {
  std::string model;
  std::string text;
  int threads = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::int64_t hidden = 0;      ///< hidden size of the biLSTM, per direction
  std::uint64_t batch = 0;      ///< sentences
  double flop_per_token = 0.0;  ///< products of the biLSTM, forward and backward
  double peak = 0.0;            ///< operations per second: the median of `peaks`
  std::vector<double> peaks;    ///< measured before, between and after
  BenchStage task;              ///< tokens per second of an epoch
};

/// Measures epochs of training a tagger with the defaults of `elmo task train` on a file of labeled
/// sentences. Activations are computed before. Returns nothing if `stop` became true. RequestError
/// unless there is exactly one file; other errors as in core and io.
std::optional<TaskBenchResult> measure_task(const BenchFlags& flags,
                                            const std::function<void(const std::string&)>& tell,
                                            const std::atomic<bool>& stop);

}  // namespace elmo
