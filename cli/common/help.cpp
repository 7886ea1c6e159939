#include "cli/common/help.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/model/characters.h"
#include "core/text.h"

namespace elmo {
namespace {

constexpr std::size_t kLine = 80;
constexpr std::size_t kColumn = 30;  // where descriptions begin

/// Wraps `text` at spaces into lines of at most `width` characters. A longer word gets its own
/// line. Keeps the line breaks of `text`, and does not wrap lines that begin with two spaces.
std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view paragraph : split(text, '\n')) {
    if (paragraph.empty() || paragraph.starts_with("  ")) {
      lines.emplace_back(paragraph);
      continue;
    }
    std::string line;
    for (const std::string_view word : split(paragraph, ' ')) {
      if (!line.empty() && count_characters(line) + 1 + count_characters(word) > width) {
        lines.push_back(std::exchange(line, word));
      } else {
        line.append(line.empty() ? "" : " ").append(word);
      }
    }
    lines.push_back(line);
  }
  return lines;
}

/// Returns `text` without backquotes.
std::string without_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

/// Returns `name` in its column with `description` beside it, or below it if the name is too long.
std::string entry(const std::string& name, const std::string& description) {
  std::string text = "  " + name;
  if (count_characters(text) + 1 > kColumn) text += '\n' + std::string(kColumn, ' ');
  bool first = true;
  for (const std::string& line : wrap(without_marks(description), kLine - kColumn)) {
    const std::size_t written =
        count_characters(std::string_view(text).substr(text.rfind('\n') + 1));
    if (first) {
      text += std::string(kColumn - std::min(written, kColumn), ' ');
    } else {
      text += '\n' + std::string(kColumn, ' ');
    }
    text += line;
    first = false;
  }
  return text + '\n';
}

std::string wrapped(const std::string& text) {
  return joined(wrap(without_marks(text), kLine), "\n") + '\n';
}

}  // namespace

std::string OptionText::value() const { return choices.empty() ? unit : joined(choices, "|"); }

OptionText describe(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  text.positional = text.names.empty();
  if (text.positional) text.names.push_back(option.get_name(true));
  if (!text.positional && option.get_items_expected_max() > 0) {
    // "N:1 to 1024": the unit and the validator's description; ":{text,tokens}" for a choice.
    const std::string type = option.get_type_name();
    const std::size_t colon = std::min(type.find(':'), type.size());
    text.unit = type.substr(0, colon);
    if (colon < type.size()) text.range = type.substr(colon + 1);
    if (text.range.starts_with('{')) {
      const std::string words = text.range.substr(1, text.range.size() - 2);
      for (const std::string_view word : split(words, ',')) text.choices.emplace_back(word);
      text.range.clear();
    }
    text.default_value = option.get_default_str();
  }
  text.description = option.get_description();
  text.group = option.get_group();
  text.required = option.get_required();
  text.repeated = option.get_expected_max() > 1;
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) {
    text.erase(at, 1);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
  const OptionText text = describe(*option);
  std::vector<std::string> notes;
  if (!text.range.empty()) notes.push_back(text.range);
  if (!text.default_value.empty()) notes.push_back("default: " + text.default_value);
  if (text.required && !text.positional) notes.emplace_back("required");
  std::string name = joined(text.names, ",") + (text.positional && text.repeated ? "..." : "");
  if (const std::string value = text.value(); !value.empty()) name += ' ' + value;
  const std::string note = notes.empty() ? "" : " (" + joined(notes, "; ") + ")";
  return entry(name, text.description + note);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(app->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer.empty() ? "" : wrapped(footer);
}

}  // namespace elmo
