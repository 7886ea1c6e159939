// A progress line on standard error.
#pragma once

#include <chrono>
#include <string>

namespace elmo {

/// On a terminal, one line that is redrawn a few times a second. Otherwise, a line printed
/// periodically. Prints nothing if quiet. One thread.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Returns whether an update is due.
  bool due() const;

  /// Shows `text` now, unless quiet.
  void show(const std::string& text);

  /// Erases the redrawn line, so that other lines can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style { silent, redrawn, lines };

  Clock::duration interval() const;

  Style style_;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace elmo
