#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <iostream>

#include "cli/human.h"

namespace elmo {
namespace {

constexpr std::chrono::milliseconds kRedrawEvery{200};
constexpr std::chrono::seconds kLineEvery{30};
constexpr const char* kEraseLine = "\r\x1b[K";

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(bool quiet, double first_fraction)
    : style_(quiet                        ? Style::silent
             : isatty(STDERR_FILENO) == 1 ? Style::redrawn
                                          : Style::lines),
      first_fraction_(first_fraction),
      next_(start_ + (style_ == Style::lines ? Clock::duration(kLineEvery)
                                             : Clock::duration(kRedrawEvery))) {}

void Progress::show(const Status& status) {
  if (style_ == Style::silent) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  std::string line = describe(status, now);
  if (style_ == Style::redrawn) {
    next_ = now + kRedrawEvery;
    drawn_ = true;
    // A line that wraps could not be redrawn.
    std::cerr << kEraseLine << line.substr(0, terminal_columns() - 1) << std::flush;
  } else {
    next_ = now + kLineEvery;
    std::cerr << "elmo: " << line << '\n';
  }
}

void Progress::clear() {
  if (drawn_) std::cerr << kEraseLine << std::flush;
  drawn_ = false;
}

std::string Progress::describe(const Status& status, Clock::time_point now) const {
  const std::chrono::duration<double> elapsed = now - start_;
  const double rate = static_cast<double>(status.tokens) / elapsed.count();
  std::string line = human_count(status.tokens, "token") + ", " +
                     human_count(static_cast<std::uint64_t>(std::llround(rate))) + " tokens/s";
  if (status.fraction) {
    line += ", " + std::to_string(static_cast<int>(*status.fraction * 100)) + " %";
    const double done = *status.fraction - first_fraction_;
    if (done > 0) {
      const auto left = elapsed * ((1 - *status.fraction) / done);
      line += ", ETA " + human_time(std::chrono::ceil<std::chrono::seconds>(left));
    }
  }
  if (!status.place.empty()) line += ", " + status.place;
  return line;
}

}  // namespace elmo
