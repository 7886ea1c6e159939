#include <CLI/App.hpp>
#include <algorithm>
#include <set>

#include "cli/pages/pages.h"

namespace elmo {
namespace {

/// What every command takes, and the tool itself.
bool is_shared(const OptionText& option) {
  return option.names.back() == "--help" || option.names.back() == "--version";
}

/// The groups of the options that are not positional, CLI11's own name of the first one left out.
/// Options of no group are hidden.
std::vector<OptionGroup> groups_of(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  for (const CLI::Option* option : command.get_options()) {
    const OptionText text = describe(*option);
    const bool hidden = text.group.empty();
    if (hidden || text.positional || is_shared(text)) continue;
    const std::string name = text.group == "Options" ? "" : text.group;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const OptionGroup& other) { return other.name == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), OptionGroup{name, {}, ""});
    group->options.push_back(text);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const OptionGroup& group) { return group.name.empty(); });
  return groups;
}

/// The first of `commands` that has `group` as it is.
std::string first_with(const OptionGroup& group, const std::vector<CommandText>& commands) {
  for (const CommandText& command : commands) {
    for (const OptionGroup& other : command.groups) {
      if (other.name == group.name && other.options == group.options) return command.name;
    }
  }
  return "";
}

/// Adds the subcommands of `app`, and where one has subcommands itself, those in place of it.
void add_commands(const CLI::App& app, const std::string& prefix, ToolText& tool) {
  for (const CLI::App* definition : app.get_subcommands({})) {
    if (!definition->get_subcommands({}).empty()) {
      CommandGroup group{definition->get_name(), definition->get_description(), {}};
      for (const CLI::App* member : definition->get_subcommands({})) {
        group.commands.push_back(member->get_name());
      }
      tool.groups.push_back(group);
      add_commands(*definition, group.name + " ", tool);
      continue;
    }
    CommandText command;
    command.name = prefix + definition->get_name();
    command.summary = definition->get_description();
    command.notes = definition->get_footer();
    for (const CLI::Option* option : definition->get_options()) {
      const OptionText text = describe(*option);
      if (text.positional) command.arguments.push_back(text);
    }
    command.groups = groups_of(*definition);
    for (OptionGroup& group : command.groups) {
      if (!group.name.empty()) group.same_as = first_with(group, tool.commands);
    }
    tool.commands.push_back(command);
  }
}

}  // namespace

ToolText describe(const CLI::App& app) {
  ToolText tool;
  tool.summary = app.get_description();
  for (const CLI::Option* option : app.get_options()) tool.options.push_back(describe(*option));
  add_commands(app, "", tool);
  return tool;
}

std::vector<std::pair<std::string, std::string>> first_words(const ToolText& tool) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const CommandText& command : tool.commands) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    if (!words.empty() && words.back().first == word) continue;
    std::string summary = command.summary;
    for (const CommandGroup& group : tool.groups) {
      if (group.name == word) summary = group.summary;
    }
    words.emplace_back(word, summary);
  }
  return words;
}

std::string usage(const CommandText& command) {
  std::string text = command.name;
  for (const OptionText& argument : command.arguments) {
    const std::string name = argument.names.front() + (argument.repeated ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text;
}

Completion completion_of(const std::string& unit) {
  if (unit == "DIR") return Completion::folders;
  if (unit == "FILE" || unit == "PATH") return Completion::files;
  return Completion::nothing;
}

std::string short_text(const std::string& description) {
  const std::string text = without_marks(description);
  const std::size_t end = std::min({text.find(". "), text.find("; "), text.find(": ")});
  return text.substr(0, end);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace elmo
