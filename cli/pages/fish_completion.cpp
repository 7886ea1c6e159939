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

}  // namespace

std::string fish_completion(const ToolText& tool) {
  std::string text =
      "# Fish completion for elmo. Made by `make docs` from the options' definitions.\n\n"
      "complete -c elmo -f\n";
  for (const OptionText& option : tool.options) {
    const bool shared = option.names.back() == "--help";
    text += complete(shared ? "" : " -n __fish_use_subcommand", option);
  }
  for (const CommandText& command : tool.commands) {
    text += "\ncomplete -c elmo -n __fish_use_subcommand -a " + command.name + " -d " +
            shell_word(command.summary) + '\n';
    const std::string seen = " -n '__fish_seen_subcommand_from " + command.name + "'";
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
