// What commands and their options are defined with: CLI11, behind declarations that compile fast.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

/// An option of a command, or a positional argument; used as a pointer to it. Each setting returns
/// the option again. The command outlives it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  const Option* operator->() const { return this; }

  Option type_name(const std::string& unit) const;    ///< "N", "FILE"
  Option default_str(const std::string& text) const;  ///< as the help shows it
  Option group(const std::string& name) const;        ///< the heading of the help
  Option description(const std::string& help) const;
  Option required() const;
  Option excludes(const Option& other) const;
  Option excludes(const std::string& other) const;
  Option needs(const Option& other) const;
  /// Takes `least` to `most` values, each a word of its own.
  Option values(int least, int most) const;
  /// Takes one of these words.
  Option one_of(const std::vector<std::string>& words) const;
  /// `problem` says what is wrong with a value, nothing where it is right; the help shows `range`.
  Option check(const std::function<std::string(const std::string&)>& problem,
               const std::string& range) const;

 private:
  friend class Options;
  CLI::Option* option_;
};

/// The options of a command, and its subcommands; used as a pointer to the command, which outlives
/// it, as what options are bound to does. Help is written as cli/flags/options.h says.
class Options {
 public:
  explicit Options(CLI::App* command) : command_(command) {}
  Options* operator->() { return this; }
  const Options* operator->() const { return this; }
  Options& operator*() { return *this; }
  const Options& operator*() const { return *this; }

  Options add_subcommand(const std::string& name, const std::string& summary);
  /// One of its subcommands has to be chosen.
  void require_subcommand();
  /// Printed below the options.
  void footer(const std::string& text);
  /// Is called where the command was chosen, once its options are parsed.
  void callback(const std::function<void()>& parsed);

  /// A name without dashes is that of a positional argument.
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& help);
  Option add_option_function(const std::string& name,
                             const std::function<void(const std::string&)>& assign,
                             const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);
  Option add_flag_callback(const std::string& name, const std::function<void()>& given,
                           const std::string& help);
  Option get_option(const std::string& name);
  void remove_option(const Option& option);

  /// How often an option was given.
  std::size_t count(const std::string& option) const;

 private:
  CLI::App* command_;
};

}  // namespace elmo
