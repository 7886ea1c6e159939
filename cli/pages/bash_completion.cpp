// elmo.bash: a case for each option that takes a value.
#include <map>
#include <string>

#include "cli/pages/pages.h"

namespace elmo {
namespace {

constexpr const char* kHead =
    R"(# Bash completion for elmo. Made by `make docs` from the options' definitions.

_elmo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= words= kind= word
  if [[ $current == = ]]; then  # bash takes --option=value for three words
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    command=${command:+$command }$word
    case $command in @groups@) ;; *) break ;; esac
  done

)";

constexpr const char* kTail = R"(
  COMPREPLY=()
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $kind == files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ $kind == folders ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  fi
}

complete -F _elmo elmo
)";

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// "words='float32 float16'", "kind=files"; "words=" where nothing can be offered.
std::string action(const OptionText& option) {
  if (!option.choices.empty()) return "words='" + join(option.choices) + "'";
  switch (completion_of(option.positional ? option.names.front() : option.unit)) {
    case Completion::files:
      return "kind=files";
    case Completion::folders:
      return "kind=folders";
    case Completion::nothing:
      break;
  }
  return "words=";
}

}  // namespace

std::string bash_completion(const ToolText& tool) {
  std::string names;
  for (const auto& [word, summary] : first_words(tool)) names += (names.empty() ? "" : " ") + word;
  std::string groups;   // a case each: what follows their first words
  std::string members;  // pattern of all
  for (const CommandGroup& group : tool.groups) {
    members += (members.empty() ? "" : " | ") + group.name;
    groups += "      elif [[ $command == " + group.name +
              " && $current != -* ]]; then\n        words='" + join(group.commands) + "'\n";
  }
  std::string options;
  std::map<std::string, std::string> values;  // by what is offered: the patterns of a case
  std::string arguments;
  for (const CommandText& command : tool.commands) {
    std::string words = "--help --version";
    for (const OptionGroup& group : command.groups) {
      for (const OptionText& option : group.options) {
        words += ' ' + option.names.back();
        if (option.value().empty()) continue;
        for (const std::string& name : option.names) {
          std::string& patterns = values[action(option)];
          patterns += (patterns.empty() ? "" : " | ") + ("'" + command.name + ' ' + name + "'");
        }
      }
    }
    options += "          '" + command.name + "') words='" + words + "' ;;\n";
    for (const OptionText& argument : command.arguments) {
      arguments += "          '" + command.name + "') " + action(argument) + " ;;\n";
    }
  }
  std::string tool_options;
  for (const OptionText& option : tool.options) {
    tool_options += (tool_options.empty() ? "" : " ") + option.names.back();
  }
  std::string text = replaced(kHead, "@groups@", members.empty() ? "''" : members);
  text += "  case \"$command $previous\" in\n";
  for (const auto& [offered, patterns] : values) {
    text += "    " + patterns + ")\n      " + offered + " ;;\n";
  }
  text += "    *)\n      if [[ -z $command && $current == -* ]]; then\n        words='" +
          tool_options + "'\n      elif [[ -z $command ]]; then\n        words='" + names + "'\n" +
          groups + "      elif [[ $current == -* ]]; then\n        case $command in\n" + options +
          "        esac\n      else\n        case $command in\n" + arguments +
          "        esac\n      fi ;;\n  esac\n";
  return text + kTail;
}

}  // namespace elmo
