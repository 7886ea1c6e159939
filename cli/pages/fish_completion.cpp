// elmo.fish: a call of complete for each option.
#include <string>

#include "cli/pages/pages.h"

namespace elmo {
namespace {

/// `text` within single quotes.
std::string shell_word(const std::string& text) {
  return '\'' + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + '\'';
}

/// What may follow an option: "-x -a 'a b'", "-r -F"; empty for a flag.
std::string value(const std::string& unit, const std::vector<std::string>& choices) {
  if (!choices.empty()) {
    std::string words;
    for (const std::string& choice : choices) words += (words.empty() ? "" : " ") + choice;
    return " -x -a " + shell_word(words);
  }
  switch (completion_of(unit)) {
    case Completion::files:
      return " -r -F";
    case Completion::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Completion::nothing:
      break;
  }
  return unit.empty() ? "" : " -x";
}

std::string complete(const std::string& condition, const OptionText& option) {
  std::string text = "complete -c elmo" + condition;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return text + value(option.unit, option.choices) + " -d " +
         shell_word(short_text(option.description)) + '\n';
}

/// When a command of that name is being completed.
std::string condition(const ToolText& tool, const std::string& name) {
  const std::string seen = "__fish_seen_subcommand_from ";
  const std::size_t space = name.find(' ');
  if (space != std::string::npos) {
    return seen + name.substr(0, space) + "; and " + seen + name.substr(space + 1);
  }
  std::string text = seen + name;
  for (const CommandGroup& group : tool.groups) {
    for (const std::string& member : group.commands) {
      if (member == name) text += "; and not " + seen + group.name;
    }
  }
  return text;
}

}  // namespace

std::string fish_completion(const ToolText& tool) {
  std::string text =
      "# Fish completion for elmo. Made by `make docs` from the options' definitions.\n\n"
      "complete -c elmo -f\n";
  for (const OptionText& option : tool.options) {
    const bool shared = option.names.back() == "--help";
    text += complete(shared ? "" : " -n __fish_use_subcommand", option);
  }
  for (const CommandGroup& group : tool.groups) {
    text += "\ncomplete -c elmo -n __fish_use_subcommand -a " + group.name + " -d " +
            shell_word(group.summary) + '\n';
  }
  for (const CommandText& command : tool.commands) {
    const std::size_t space = command.name.find(' ');
    const std::string before =
        space == std::string::npos
            ? "__fish_use_subcommand"
            : shell_word("__fish_seen_subcommand_from " + command.name.substr(0, space));
    text += "\ncomplete -c elmo -n " + before + " -a " +
            command.name.substr(space == std::string::npos ? 0 : space + 1) + " -d " +
            shell_word(command.summary) + '\n';
    const std::string seen = " -n '" + condition(tool, command.name) + "'";
    for (const OptionText& argument : command.arguments) {
      const bool folders = completion_of(argument.names.front()) == Completion::folders;
      text += "complete -c elmo" + seen +
              (folders ? " -a '(__fish_complete_directories)'" : " -F") + '\n';
    }
    for (const OptionGroup& group : command.groups) {
      for (const OptionText& option : group.options) text += complete(seen, option);
    }
  }
  return text;
}

}  // namespace elmo
