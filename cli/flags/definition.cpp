#include "cli/flags/definition.h"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

namespace elmo {

Option Option::type_name(const std::string& unit) const { return Option(option_->type_name(unit)); }
Option Option::default_str(const std::string& text) const {
  return Option(option_->default_str(text));
}
Option Option::group(const std::string& name) const { return Option(option_->group(name)); }
Option Option::description(const std::string& help) const {
  return Option(option_->description(help));
}
Option Option::required() const { return Option(option_->required()); }
Option Option::excludes(const Option& other) const {
  return Option(option_->excludes(other.option_));
}
Option Option::excludes(const std::string& other) const { return Option(option_->excludes(other)); }
Option Option::needs(const Option& other) const { return Option(option_->needs(other.option_)); }
Option Option::values(int least, int most) const {
  return Option(option_->expected(least, most)->allow_extra_args(false));
}
Option Option::one_of(const std::vector<std::string>& words) const {
  return Option(option_->check(CLI::IsMember(words)));
}
Option Option::check(const std::function<std::string(const std::string&)>& problem,
                     const std::string& range) const {
  return Option(option_->check(CLI::Validator(problem, range)));
}

Options Options::add_subcommand(const std::string& name, const std::string& summary) {
  return Options(command_->add_subcommand(name, summary));
}
void Options::require_subcommand() { command_->require_subcommand(1); }
void Options::footer(const std::string& text) { command_->footer(text); }
void Options::callback(const std::function<void()>& parsed) { command_->callback(parsed); }

Option Options::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(command_->add_option(name, value, help));
}
Option Options::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  return Option(command_->add_option(name, values, help));
}
Option Options::add_option_function(const std::string& name,
                                    const std::function<void(const std::string&)>& assign,
                                    const std::string& help) {
  return Option(command_->add_option_function<std::string>(name, assign, help));
}
Option Options::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(command_->add_flag(name, value, help));
}
Option Options::add_flag_callback(const std::string& name, const std::function<void()>& given,
                                  const std::string& help) {
  return Option(command_->add_flag_callback(name, given, help));
}
Option Options::get_option(const std::string& name) { return Option(command_->get_option(name)); }
void Options::remove_option(const Option& option) { command_->remove_option(option.option_); }

std::size_t Options::count(const std::string& option) const { return command_->count(option); }

}  // namespace elmo
