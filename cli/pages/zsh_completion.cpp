// _elmo, for zsh: a call of _arguments for each command.
#include <string>

#include "cli/pages/pages.h"

namespace elmo {
namespace {

/// `text` within single quotes.
std::string shell_word(const std::string& text) {
  return '\'' + replaced(text, "'", "'\\''") + '\'';
}

/// The first sentence of a description where _arguments takes it.
std::string explanation(const OptionText& option) {
  std::string text = short_text(option.description);
  for (const char* special : {"\\", "[", "]", ":"}) {
    text = replaced(text, special, std::string("\\") + special);
  }
  return text;
}

/// ":FILE:_files", ":format:(text tokens)"; empty for a flag.
std::string value(const std::string& unit, const std::vector<std::string>& choices) {
  if (!choices.empty()) {
    std::string words;
    for (const std::string& choice : choices) words += (words.empty() ? "" : " ") + choice;
    return ":word:(" + words + ")";
  }
  switch (completion_of(unit)) {
    case Completion::files:
      return ":" + unit + ":_files";
    case Completion::folders:
      return ":" + unit + ":_files -/";
    case Completion::nothing:
      break;
  }
  return unit.empty() ? "" : ":" + unit + ": ";
}

/// One specification a name: each excludes the others.
std::string specifications(const OptionText& option, const std::string& indent) {
  std::string others;
  if (option.names.size() > 1) {
    for (const std::string& name : option.names) others += (others.empty() ? "(" : " ") + name;
    others += ")";
  }
  const std::string end = "[" + explanation(option) + "]" + value(option.unit, option.choices);
  std::string text;
  for (const std::string& name : option.names) {
    const bool takes = !option.value().empty();
    const std::string joined = !takes ? "" : name.starts_with("--") ? "=" : "+";
    text += " \\\n" + indent + shell_word(others + name + joined + end);
  }
  return text;
}

std::string arguments(const CommandText& command, const OptionText& help) {
  const std::string indent(8, ' ');
  std::string text = "      _arguments -s -S" + specifications(help, indent);
  for (const OptionGroup& group : command.groups) {
    for (const OptionText& option : group.options) text += specifications(option, indent);
  }
  for (const OptionText& argument : command.arguments) {
    const std::string name = argument.names.front();
    text += " \\\n" + indent + shell_word((argument.repeated ? "*" : "1") + value(name, {}));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const ToolText& tool) {
  std::string text =
      "#compdef elmo\n# Made by `make docs` from the options' definitions.\n\n_elmo() {\n"
      "  local -a commands=(\n";
  for (const auto& [word, summary] : first_words(tool)) {
    text += "    " + shell_word(word + ":" + replaced(summary, ":", "\\:")) + '\n';
  }
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    if [[ $words[2] == -* ]]; then\n"
      "      _arguments";
  for (const OptionText& option : tool.options) text += specifications(option, "        ");
  text +=
      "\n    else\n      _describe -t commands command commands\n    fi\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n";
  for (const CommandGroup& group : tool.groups) {
    text += "  if [[ $command == " + group.name +
            " ]]; then\n    if (( CURRENT == 2 )); then\n      compadd";
    for (const std::string& member : group.commands) text += ' ' + member;
    text +=
        "\n      return\n    fi\n    command+=\" $words[2]\"\n    shift words\n    (( CURRENT-- "
        "))\n"
        "  fi\n";
  }
  text += "  case $command in\n";
  const OptionText& help = tool.options.front();
  for (const CommandText& command : tool.commands) {
    text +=
        "    " + replaced(command.name, " ", "\\ ") + ")\n" + arguments(command, help) + " ;;\n";
  }
  return text + "  esac\n}\n\n_elmo \"$@\"\n";
}

}  // namespace elmo
