// How far a run is, told on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/report/status_line.h"

namespace elmo {

/// Tokens done, speed and time left, on a StatusLine. One thread.
class Progress {
 public:
  struct Status {
    std::uint64_t tokens = 0;        ///< done since the start of this process
    std::optional<double> fraction;  ///< of the input that is done, where its size is known
    std::string output;              ///< what is being written, such as "shard 3"; may be empty
  };

  /// `first_fraction` of the input was done by an earlier run.
  explicit Progress(bool quiet, double first_fraction = 0)
      : line_(quiet), first_fraction_(first_fraction) {}

  /// Shows `status` where it is time to.
  void show(const Status& status) {
    if (line_.due()) line_.show(describe(status));
  }

  /// Takes the redrawn line away, so that other lines can be printed.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  std::string describe(const Status& status) const;

  StatusLine line_;
  double first_fraction_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace elmo
