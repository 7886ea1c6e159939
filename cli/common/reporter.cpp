#include "cli/common/reporter.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>
#include <variant>

#include "cli/common/process.h"
#include "core/error.h"
#include "core/model/characters.h"
#include "core/text.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the end of a message with this remedy.
const Message& advice(Remedy remedy) {
  using S = Setting;
  static const std::map<std::string_view, Message> remedies{
      {"give_vocabulary", "; give it with " + S{"vocab"} + " FILE"},
      {"compute_in_float32", "; use " + S{"precision"} + " float32"},
      {"train_slower", "; lower " + S{"learning_rate"} + " or " + S{"gradient_clip"}},

      {"list_models", " (`elmo info` lists them)"},
      {"name_model_files", "; name the two files with " + S{"options"} + " and " + S{"weights"}},
      {"repair_text",
       "; fix the text, or read it without " + S{"strict"} + " to get U+FFFD instead"},
      {"skip_bad_records", "; fix the record, or skip such records with " + S{"skip_bad_records"}},
      {"skip_unanswerable", "; leave such questions out with " + S{"skip_unanswerable"}},
      {"forget_sentences", "; leave it out with " + S{"forget_sentences"}},
      {"replace_file", "; choose another name, or replace it with " + S{"overwrite"}},
      {"write_beside", "; choose an empty folder, or write into it with " + S{"overwrite"}},
      {"resume_or_replace",
       "; continue it with " + S{"resume"} + ", or replace it with " + S{"overwrite"}},
      {"begin_anew", ", or start again with " + S{"overwrite"} + " or in another folder"}};
  return remedies.at(remedy.name);
}

std::string option_named(std::string_view name) {
  std::string option = "--";
  option += name;
  std::ranges::replace(option, '_', '-');
  return option;
}

/// Components that options of other names choose. `--layout` is the layout of files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kChosenBy{
    {{"total_steps", "--steps"},
     {"total_steps", "--epochs"},
     {"lanes", "--batch"},
     {"state", "--initial-state"},
     {"validation", "--valid"},
     {"selected_layers", "--layers"},
     {"layout", "--layers"},
     {"selection", "--words"},
     {"selection", "--match"},
     {"selection", "--sample"},
     {"pooling", "--pool"}}};

/// Returns the option of that name, or the name and the options that choose it.
std::string text_of(const Component& component,
                    const std::function<bool(std::string_view)>& has_option) {
  if (!has_option) return component.name;
  const bool has_others =
      std::ranges::count(kChosenBy, component.name, [](const auto& row) { return row.first; }) > 0;
  std::string same = option_named(component.name);
  if (!has_others && has_option(same)) return same;
  std::string options;
  for (const auto& [name, option] : kChosenBy) {
    if (name != component.name || !has_option(option)) continue;
    options.append(options.empty() ? " (" : ", ").append(option);
  }
  return component.name + options + (options.empty() ? "" : ")");
}

}  // namespace

std::string option_of(Setting setting) {
  if (setting.name == "output") return "-o";
  if (setting.name == "job_array") return "--array";
  return option_named(setting.name);
}

std::string text_of(const Message& message,
                    const std::function<bool(std::string_view)>& has_option) {
  std::string text;
  const auto lacks = [&](const Message::Part& part) {
    const auto* const setting = std::get_if<Setting>(&part);
    return setting != nullptr && has_option && !has_option(option_of(*setting));
  };
  for (const Message::Part& part : message.parts()) {
    if (const auto* const words = std::get_if<std::string>(&part)) {
      text += *words;
    } else if (const auto* const setting = std::get_if<Setting>(&part)) {
      text += option_of(*setting);
    } else if (const auto* const component = std::get_if<Component>(&part)) {
      text += text_of(*component, has_option);
    } else {
      const Message& help = advice(std::get<Remedy>(part));
      if (std::ranges::none_of(help.parts(), lacks)) text += text_of(help);
    }
  }
  return text;
}

namespace {

std::string cell(const Json::Member& member) {
  const Json::Value& value = member.value.value();
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  return std::holds_alternative<std::nullptr_t>(value) ? "" : member.value.dump();
}

constexpr std::chrono::milliseconds kRedrawEvery{200};
constexpr std::chrono::seconds kLineEvery{30};
constexpr const char* kEraseLine = "\r\x1b[K";

/// True if standard error is a terminal that understands escape sequences and may get them: see
/// https://no-color.org.
bool is_redrawable() {
  const char* const terminal = std::getenv("TERM");
  const char* const no_color = std::getenv("NO_COLOR");
  const bool is_dumb =
      terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) == 1 && !is_dumb && (no_color == nullptr || *no_color == '\0');
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string rows_text(const std::vector<Json>& rows, bool jsonl) {
  std::string text;
  for (const Json& row : rows) {
    const auto& members = std::get<Json::Object>(row.value());
    if (!jsonl && text.empty()) text = joined(members, "\t", &Json::Member::key) + '\n';
    text += (jsonl ? row.dump() : joined(members, "\t", cell)) + '\n';
  }
  return text;
}

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
