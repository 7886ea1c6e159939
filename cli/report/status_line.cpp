#include "cli/report/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

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

StatusLine::StatusLine(bool quiet)
    : style_(quiet                        ? Style::silent
             : isatty(STDERR_FILENO) == 1 ? Style::redrawn
                                          : Style::lines),
      next_(Clock::now() + interval()) {}

StatusLine::Clock::duration StatusLine::interval() const {
  return style_ == Style::lines ? Clock::duration(kLineEvery) : Clock::duration(kRedrawEvery);
}

bool StatusLine::due() const { return style_ != Style::silent && Clock::now() >= next_; }

void StatusLine::show(const std::string& text) {
  if (style_ == Style::silent) return;
  next_ = Clock::now() + interval();
  if (style_ == Style::redrawn) {
    drawn_ = true;
    // A wrapped line could not be redrawn.
    std::cerr << kEraseLine << text.substr(0, terminal_columns() - 1) << std::flush;
  } else {
    std::cerr << "elmo: " << text << '\n';
  }
}

void StatusLine::clear() {
  if (drawn_) std::cerr << kEraseLine << std::flush;
  drawn_ = false;
}

}  // namespace elmo
