// A line on standard error that says how far the work is.
#pragma once

#include <chrono>
#include <string>

namespace elmo {

/// On a terminal one line, redrawn a few times a second; elsewhere a line now and then; silent on
/// request. One thread.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether it is time to show something.
  bool due() const;

  /// Shows `text` now, but nothing where it is to be silent.
  void show(const std::string& text);

  /// Takes the redrawn line away, so that other lines can be printed.
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
