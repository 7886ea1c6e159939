// OPTIONS.md: manual.md with tables of the options.
#include <string>

#include "cli/pages/pages.h"

namespace elmo {
namespace {

std::string code(const std::string& text) { return '`' + text + '`'; }

/// `text` for Markdown, names of options set as code.
std::string prose(const std::string& text) {
  return marked(text, code, [](const std::string& plain) { return plain; });
}

/// "`-o`, `--output PATH`"
std::string option_names(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) {
    const bool last = name == option.names.back();
    const std::string value = last && !option.value().empty() ? ' ' + option.value() : "";
    names += (names.empty() ? "" : ", ") + code(name + value);
  }
  return names;
}

std::string row(const OptionText& option) {
  const std::string unset = option.required ? "required" : option.default_value;
  return "| " + replaced(option_names(option), "|", "\\|") + " | " + prose(unset) + " | " +
         option.range + " | " + replaced(prose(option.description), "|", "\\|") + ". |\n";
}

std::string table(const std::vector<OptionText>& options) {
  std::string text = "| option | default | range | what it does |\n|---|---|---|---|\n";
  for (const OptionText& option : options) text += row(option);
  return text;
}

/// Paragraphs of at most 100 characters a line, and what is set as it is.
std::string notes(const std::string& text) {
  std::string page;
  bool fenced = false;
  for (const std::string& line : wrap(prose(text), 100)) {
    const bool as_is = line.starts_with("  ");
    if (as_is != fenced) page += "```text\n";
    if (!as_is && fenced) page.replace(page.size() - 8, 8, "```\n");
    fenced = as_is;
    page += line + '\n';
  }
  return page;
}

std::string command_section(const CommandText& command) {
  std::string text = "\n### elmo " + usage(command) + "\n\n" + command.summary + ".\n";
  for (const OptionText& argument : command.arguments) {
    text += "\n" + code(argument.names.front()) + ": " + prose(argument.description) + ".\n";
  }
  for (const OptionGroup& group : command.groups) {
    if (!group.same_as.empty()) {
      text += "\n" + group.name + ": as of `elmo " + group.same_as + "`.\n";
    } else {
      text += (group.name.empty() ? "" : "\n" + group.name + ":\n") + "\n" + table(group.options);
    }
  }
  if (!command.notes.empty()) text += "\n" + notes(command.notes);
  return text;
}

}  // namespace

std::string option_page(const ToolText& tool, const std::string& source) {
  std::string synopsis = "```text\n";
  std::string commands;
  for (const CommandText& command : tool.commands) {
    synopsis += "elmo " + usage(command) + " [options]\n";
    commands += command_section(command);
  }
  commands += "\n### All commands\n\n" + table(tool.options);
  const std::string page = replaced(source, "@synopsis@\n", synopsis + "```\n");
  return "<!-- Made by `make docs`; its sources are the options' definitions and"
         " cli/pages/manual.md. -->\n" +
         replaced(page, "\n@commands@\n", commands);
}

}  // namespace elmo
