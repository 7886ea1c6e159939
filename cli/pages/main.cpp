// Prints the definition of the tool as JSON, from which pages.py generates the pages:
//
//     {"name", "summary", "notes", "options": [{"names", "unit", "choices", "range", "default",
//      "description", "group", "positional", "required", "repeated"}], "commands": [the same]}
#include <CLI/App.hpp>
#include <iostream>

#include "cli/common/help.h"
#include "cli/common/reporter.h"
#include "cli/program.h"

namespace elmo {
namespace {

Json option_json(const CLI::Option& option) {
  const OptionText text = describe(option);
  return {{"names", text.names},           {"unit", text.unit},
          {"choices", text.choices},       {"range", text.range},
          {"default", text.default_value}, {"description", text.description},
          {"group", text.group},           {"positional", text.positional},
          {"required", text.required},     {"repeated", text.repeated}};
}

Json command_json(const CLI::App& command) {
  Json options = Json::array();
  for (const CLI::Option* option : command.get_options()) options.push_back(option_json(*option));
  Json commands = Json::array();
  for (const CLI::App* member : command.get_subcommands({})) {
    commands.push_back(command_json(*member));
  }
  return {{"name", command.get_name()},
          {"summary", command.get_description()},
          {"notes", command.get_footer()},
          {"options", options},
          {"commands", commands}};
}

}  // namespace
}  // namespace elmo

int main() {
  elmo::Command chosen;
  std::cout << elmo::json_document(elmo::command_json(*elmo::make_application(chosen)));
  return std::cout.flush() ? 0 : 1;
}
