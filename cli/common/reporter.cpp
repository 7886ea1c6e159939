#include "cli/common/reporter.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "cli/common/message.h"
#include "cli/common/process.h"
#include "core/error.h"
#include "core/human.h"
#include "core/model/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr std::chrono::milliseconds kRedrawEvery{200};
constexpr std::chrono::seconds kLineEvery{30};
constexpr const char* kEraseLine = "\r\x1b[K";

/// True if standard error is a terminal that understands escape sequences and may get them: see
/// https://no-color.org.
bool is_redrawable() {
  const char* const terminal = std::getenv("TERM");
  const char* const no_color = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb") &&
         (no_color == nullptr || *no_color == '\0');
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

void print_with_problems(const std::string& text, std::span<const std::string> problems) {
  try {
    standard_output().write(text);
  } catch (const ClosedPipe&) {
    // The problems and the exit code still report the result.
  }
  for (const std::string& problem : problems) print_message(problem);
}

RunReport::RunReport(bool quiet)
    : style_(quiet             ? Style::silent
             : is_redrawable() ? Style::redrawn
                               : Style::lines),
      next_(next_update()) {}

void RunReport::note(const Message& line) {
  clear();
  if (style_ != Style::silent && !line.empty()) print_message(text_of(line));
}

void RunReport::progressed(const RunProgress& progress, double first_fraction) {
  if (!beginning_) {
    beginning_ = {Clock::now(), first_fraction};
    next_ = next_update();
  }
  if (!due()) return;
  const std::chrono::duration<double> elapsed = Clock::now() - beginning_->time;
  std::string line = human_count(progress.tokens, "token") + ", " +
                     human_rate(static_cast<double>(progress.tokens), elapsed, "tokens");
  if (progress.fraction) {
    line += ", " + std::to_string(static_cast<int>(*progress.fraction * 100)) + " %";
    const double done = *progress.fraction - beginning_->fraction;
    if (done > 0) {
      line += ", ETA " + human_time_left(elapsed * ((1 - *progress.fraction) / done));
    }
  }
  if (!progress.output.empty()) line += ", " + progress.output;
  show(line);
}

void RunReport::progress_ended() {
  clear();
  beginning_.reset();
}

bool RunReport::due() const { return style_ != Style::silent && Clock::now() >= next_; }

void RunReport::show(const std::string& text) {
  if (style_ == Style::silent) return;
  next_ = next_update();
  if (style_ == Style::redrawn) {
    drawn_ = true;
    // A wrapped line could not be redrawn.
    std::cerr << kEraseLine << first_characters(printable_text(text), terminal_columns() - 1)
              << std::flush;
  } else {
    print_message(text);
  }
}

RunReport::Clock::time_point RunReport::next_update() const {
  return Clock::now() +
         (style_ == Style::lines ? Clock::duration(kLineEvery) : Clock::duration(kRedrawEvery));
}

void RunReport::clear() {
  if (drawn_) std::cerr << kEraseLine << std::flush;
  drawn_ = false;
}

}  // namespace elmo
