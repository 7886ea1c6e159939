// The texts of option definitions, and the help that is made of them.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

namespace elmo {

/// The texts of one option or positional argument.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; "FILE" if positional
  std::string unit;                ///< "N", "FILE"; empty for a flag and with `choices`
  std::vector<std::string> choices;
  std::string range;          ///< "1 to 1024"; empty: unrestricted
  std::string default_value;  ///< empty: none
  std::string description;    ///< literal words in `backquotes`; no full stop at the end
  std::string group;
  bool positional = false;
  bool required = false;
  bool repeated = false;  ///< takes any number of values

  /// "N", "text|tokens"; empty for a flag.
  std::string value() const;
  bool operator==(const OptionText& other) const = default;
};

OptionText describe(const CLI::Option& option);

/// Formats the help: descriptions, ranges and defaults in lines of 80 characters.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace elmo
