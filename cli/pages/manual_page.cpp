// elmo.1: manual.md and the options in the language of man.
#include <cctype>
#include <sstream>
#include <string>

#include "cli/pages/pages.h"
#include "core/error.h"

namespace elmo {
namespace {

/// `text` with what roff would read as its own commands escaped.
std::string escaped(const std::string& text) {
  return replaced(replaced(text, "\\", "\\e"), "-", "\\-");
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }

/// `text` as lines of roff, options and `code` in bold.
std::string prose(const std::string& text) {
  const std::string line = marked(text, bold, escaped);
  return (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") + line + '\n';
}

/// "\fB-o\fR, \fB--output\fR \fIPATH\fR"
std::string option_names(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!option.unit.empty()) names += " \\fI" + escaped(option.unit) + "\\fR";
  std::string choices;
  for (const std::string& choice : option.choices) {
    choices += (choices.empty() ? " " : "|") + bold(choice);
  }
  return names + choices;
}

std::string entry(const OptionText& option) {
  std::string text = option.description + ".";
  if (!option.range.empty()) text += " Range: " + option.range + ".";
  if (!option.default_value.empty()) text += " Default: " + option.default_value + ".";
  if (option.required && !option.positional) text += " Required.";
  return ".TP\n" + option_names(option) + '\n' + prose(text);
}

std::string as_it_is(const std::string& lines) { return ".nf\n" + lines + ".fi\n"; }

/// Paragraphs, and what is set as it is.
std::string notes(const std::string& text) {
  std::string page;
  std::string block;
  std::istringstream lines(text + "\n\n");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      block += escaped(line) + '\n';
      continue;
    }
    if (!block.empty()) page += ".PP\n" + as_it_is(block);
    block.clear();
    if (!line.empty()) page += ".PP\n" + prose(line);
  }
  return page;
}

std::string command_section(const CommandText& command) {
  std::string text = ".SS \"elmo " + usage(command) + "\"\n" + prose(command.summary + ".");
  for (const OptionText& argument : command.arguments) text += entry(argument);
  for (const OptionGroup& group : command.groups) {
    if (!group.same_as.empty()) {
      text += ".PP\n" + group.name + ": as of " + bold("elmo " + group.same_as) + ".\n";
      continue;
    }
    if (!group.name.empty()) text += ".PP\n" + group.name + ":\n";
    for (const OptionText& option : group.options) text += entry(option);
  }
  return text + notes(command.notes);
}

std::string commands(const ToolText& tool) {
  std::string text;
  for (const CommandText& command : tool.commands) text += command_section(command);
  text += ".SS \"All commands\"\n";
  for (const OptionText& option : tool.options) text += entry(option);
  return text;
}

std::string synopsis(const ToolText& tool) {
  std::string text;
  for (const CommandText& command : tool.commands) {
    text += (text.empty() ? "" : ".br\n") + bold("elmo " + command.name) +
            escaped(usage(command).substr(command.name.size())) + " [\\fIoptions\\fR]\n";
  }
  return text;
}

std::string upper(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

/// One block of manual.md: a heading, a list, code or a paragraph, its lines joined.
std::string block_of(const std::string& block) {
  if (block.starts_with("## ")) return ".SH " + upper(block.substr(3)) + '\n';
  if (block.starts_with("- ")) {
    const std::size_t colon = block.find(": ");
    if (colon == std::string::npos)
      throw InputError("manual.md: an item without a colon: " + block);
    return ".TP\n" + prose(block.substr(2, colon - 2)) + prose(block.substr(colon + 2));
  }
  if (block.find("](") != std::string::npos) throw InputError("manual.md: a link in: " + block);
  return ".PP\n" + prose(block);
}

/// manual.md from its first section on.
std::string sections(const ToolText& tool, const std::string& source) {
  std::string page;
  std::string block;
  std::string code;
  bool fenced = false;
  const auto end_block = [&] {
    if (!block.empty()) page += block_of(block);
    block.clear();
  };
  std::istringstream lines(source.substr(source.find("## ")) + "\n\n");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      end_block();
      if (fenced) page += ".PP\n" + as_it_is(code);
      code.clear();
      fenced = !fenced;
    } else if (fenced) {
      code += escaped(line) + '\n';
    } else if (line == "@commands@") {
      page += commands(tool);
    } else if (line == "@synopsis@") {
      page += synopsis(tool);
    } else if (line.empty()) {
      end_block();
    } else {
      if (line.starts_with("- ") || line.starts_with('#')) end_block();
      const std::size_t begin = line.find_first_not_of(' ');
      block += (block.empty() ? "" : " ") + line.substr(begin);
    }
  }
  return page;
}

}  // namespace

std::string manual_page(const ToolText& tool, const std::string& source) {
  return ".\\\" Made by make docs; its sources are the options' definitions and"
         " cli/pages/manual.md.\n"
         ".TH ELMO 1 \"\" \"elmo\" \"User Commands\"\n.SH NAME\nelmo \\- " +
         escaped(tool.summary.substr(0, tool.summary.find_last_of('.'))) + '\n' +
         sections(tool, source);
}

}  // namespace elmo
