// Repeated measurements of `elmo-bench`, until it is asked to stop.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "cli/common/process.h"
#include "core/resources.h"
#include "tests/bench/program/median.h"

namespace elmo {

/// Thrown when the run is asked to stop.
struct Stopped {};

/// Parameters of every measurement: repetitions, listener and stop flag. One thread.
class Measuring {
 public:
  /// `tell` receives the name of each stage. Both references must outlive this.
  Measuring(int repeat, const std::function<void(const std::string&)>& tell,
            const std::atomic<bool>& stop)
      : repeat_(repeat), tell_(tell), stop_(stop) {}

  /// Begins a stage. Throws Stopped if the run is to stop.
  void begin(const std::string& stage) const {
    stop_if_asked();
    tell_(stage);
  }

  void stop_if_asked() const {
    if (stop_) throw Stopped();
  }

  const std::atomic<bool>& stop() const { return stop_; }

  /// Returns the median time of some runs of `work`, after one that is not counted.
  template <typename Work>
  double median_seconds(Work work) const {
    std::vector<double> times;
    for (int i = 0; i <= repeat_; ++i) {
      stop_if_asked();
      const double seconds = seconds_of(work);
      if (i > 0) times.push_back(seconds);
    }
    return median(times);
  }

 private:
  int repeat_;
  const std::function<void(const std::string&)>& tell_;
  const std::atomic<bool>& stop_;
};

}  // namespace elmo
