// Notes and progress of a run, for people.
#pragma once

#include <optional>
#include <string>

#include "cli/report/progress.h"
#include "cli/report/report.h"
#include "cli/run/listener.h"

namespace elmo {

/// Prints notes as lines and shows progress, both on standard error; silent on request. One thread.
class RunReport final : public RunListener {
 public:
  explicit RunReport(bool quiet) : report_(quiet), quiet_(quiet) {}

  void note(const std::string& line) override {
    if (progress_) progress_->clear();
    if (!line.empty()) report_.line(line);
  }
  void progressed(const RunProgress& progress, double first_fraction) override {
    if (!progress_) progress_.emplace(quiet_, first_fraction);
    progress_->show(progress);
  }
  void progress_ended() override {
    if (progress_) progress_->clear();
    progress_.reset();
  }

 private:
  Report report_;
  bool quiet_;
  std::optional<Progress> progress_;
};

}  // namespace elmo
