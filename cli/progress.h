// How far a run is, told on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace elmo {

/// On a terminal one line, redrawn a few times a second; elsewhere a line now and then; silent on
/// request. One thread.
class Progress {
 public:
  struct Status {
    std::uint64_t tokens = 0;        ///< done since the start of this process
    std::optional<double> fraction;  ///< of the input that is done, where its size is known
    std::string place;               ///< what is being written, such as "shard 3"; may be empty
  };

  /// `first_fraction` of the input was done by an earlier run.
  explicit Progress(bool quiet, double first_fraction = 0);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows `status` where it is time to.
  void show(const Status& status);

  /// Takes the redrawn line away, so that other lines can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style { silent, redrawn, lines };

  std::string describe(const Status& status, Clock::time_point now) const;

  Style style_;
  double first_fraction_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace elmo
