// Messages and the progress of a run on standard error, and the layout of JSON on standard output.
#pragma once

#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <span>
#include <string>

#include "cli/common/human.h"
#include "cli/common/listener.h"
#include "io/json/json.h"

namespace elmo {

/// Returns indented JSON that ends with a line feed. Invalid UTF-8 becomes U+FFFD.
inline std::string json_document(const Json& json) { return json.dump(2) + '\n'; }

/// Prints `text` on standard output, and then each problem as a line on standard error, even if the
/// reader of `text` has closed the pipe. SystemError for any other failed write.
void print_with_problems(const std::string& text, std::span<const std::string> problems);

/// Prints messages unless quiet. One thread.
class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}

  void line(const std::string& text) const {
    if (!quiet_) std::cerr << "elmo: " << text << '\n';
  }

  /// Prints "3 tokens cut"; nothing if `count` is 0.
  void count(std::uint64_t count, const std::string& noun, const std::string& what) const {
    if (count > 0) line(human_count(count, noun) + ' ' + what);
  }

 private:
  bool quiet_;
};

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

/// Prints notes as lines and shows progress, both on standard error; silent on request. Reports of
/// commands derive from it to show other progress in `status_`. One thread.
class RunReport : public RunListener {
 public:
  explicit RunReport(bool quiet) : status_(quiet), report_(quiet), quiet_(quiet) {}

  void note(const std::string& line) override {
    clear();
    if (!line.empty()) report_.line(line);
  }
  void progressed(const RunProgress& progress, double first_fraction) override {
    if (!progress_) progress_.emplace(quiet_, first_fraction);
    progress_->show(progress);
  }
  void progress_ended() override {
    clear();
    progress_.reset();
  }

 protected:
  StatusLine status_;

 private:
  void clear() {
    if (progress_) progress_->clear();
    status_.clear();
  }

  Report report_;
  bool quiet_;
  std::optional<Progress> progress_;
};

}  // namespace elmo
