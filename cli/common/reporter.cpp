#include "cli/common/reporter.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string_view>
#include <vector>

#include "cli/common/human.h"

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

std::string Progress::describe(const RunProgress& progress) const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  std::string line = human_count(progress.tokens, "token") + ", " +
                     human_rate(static_cast<double>(progress.tokens), elapsed, "tokens");
  if (progress.fraction) {
    line += ", " + std::to_string(static_cast<int>(*progress.fraction * 100)) + " %";
    const double done = *progress.fraction - first_fraction_;
    if (done > 0) {
      line += ", ETA " + human_time_left(elapsed * ((1 - *progress.fraction) / done));
    }
  }
  if (!progress.output.empty()) line += ", " + progress.output;
  return line;
}

namespace {

/// Returns the end of a message with the options for a remedy.
const char* advice(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::give_vocabulary:
      return "; give it with --vocab FILE";
    case Remedy::compute_in_float32:
      return "; use --precision float32";
    case Remedy::train_slower:
      return "; a lower --learning-rate or --gradient-clip may help";
    case Remedy::name_model_files:
      return "; name the two files with --options and --weights";
    case Remedy::repair_text:
      return "; fix the text, or read it without --strict to get U+FFFD instead";
    case Remedy::skip_bad_records:
      return "; fix the record, or skip such records with --skip-bad-records";
    case Remedy::skip_unanswerable:
      return "; leave such questions out with --skip-unanswerable";
    case Remedy::forget_sentences:
      return "; leave it out with --forget-sentences";
    case Remedy::replace_file:
      return "; choose another name, or replace it with --overwrite";
    case Remedy::write_beside:
      return "; choose an empty folder, or write into it with --overwrite";
    case Remedy::resume_or_replace:
      return "; continue it with --resume, or replace it with --overwrite";
    case Remedy::begin_anew:
      return ", or start again with --overwrite or in another folder";
  }
  return "";
}

/// Returns the words of `text` that begin with "--".
std::vector<std::string> options_in(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::vector<std::string> options;
  for (std::size_t begin = text.find("--"); begin != std::string_view::npos;
       begin = text.find("--", begin)) {
    const std::size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
    options.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return options;
}

}  // namespace

std::string message_of(const Error& error,
                       const std::function<bool(const std::string&)>& has_option) {
  const std::string help = advice(error.remedy());
  const bool helps = !has_option || std::ranges::all_of(options_in(help), has_option);
  return error.what() + (helps ? help : "");
}

}  // namespace elmo
