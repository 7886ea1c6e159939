// Progress of a run, on standard error.
#pragma once

#include <chrono>
#include <string>

#include "cli/report/status_line.h"
#include "cli/run/listener.h"

namespace elmo {

/// Shows tokens done, speed and time left on a StatusLine. One thread.
class Progress {
 public:
  /// `first_fraction` of the input was done by an earlier run.
  explicit Progress(bool quiet, double first_fraction = 0)
      : line_(quiet), first_fraction_(first_fraction) {}

  /// Shows the progress if it is due.
  void show(const RunProgress& progress) {
    if (line_.due()) line_.show(describe(progress));
  }

  /// Erases the redrawn line, so that other lines can be printed.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  std::string describe(const RunProgress& progress) const;

  StatusLine line_;
  double first_fraction_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace elmo
