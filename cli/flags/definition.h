// Definitions of commands and their options: a wrapper of CLI11 that compiles fast.
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

/// An option of a command, or a positional argument. Used like a pointer. Each setter returns the
/// option. The command must outlive it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  const Option* operator->() const { return this; }

  Option type_name(const std::string& unit) const;    ///< "N", "FILE"
  Option default_str(const std::string& text) const;  ///< shown in the help
  Option group(const std::string& name) const;        ///< heading in the help
  Option description(const std::string& help) const;
  Option required() const;
  Option excludes(const Option& other) const;
  Option excludes(const std::string& other) const;
  Option needs(const Option& other) const;
  /// Takes `least` to `most` values, each a separate word.
  Option values(int least, int most) const;
  /// Takes one of these words.
  Option one_of(const std::vector<std::string>& words) const;
  /// Checks each value with `problem`, which returns what is wrong with it, or an empty string. The
  /// help shows `range`.
  Option check(const std::function<std::string(const std::string&)>& problem,
               const std::string& range) const;

 private:
  friend class Options;
  CLI::Option* option_;
};

/// The options and subcommands of a command. Used like a pointer to the command. The command and
/// the variables bound to options must outlive it. See cli/flags/options.h for the style of help
/// texts.
class Options {
 public:
  explicit Options(CLI::App* command) : command_(command) {}
  Options* operator->() { return this; }
  const Options* operator->() const { return this; }
  Options& operator*() { return *this; }
  const Options& operator*() const { return *this; }

  Options add_subcommand(const std::string& name, const std::string& summary);
  /// Makes a subcommand mandatory.
  void require_subcommand();
  /// Sets the text below the options.
  void footer(const std::string& text);
  /// Sets a function to call after parsing if the command was chosen.
  void callback(const std::function<void()>& parsed);

  /// A name without dashes defines a positional argument.
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

  /// Returns how many times an option was given.
  std::size_t count(const std::string& option) const;

 private:
  CLI::App* command_;
};

}  // namespace elmo
