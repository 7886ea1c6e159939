// What the definitions of commands and options say, and the help that is made of it.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace elmo {

/// One option or positional argument, by its definition.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional one: "FILE"
  std::string unit;                ///< "N", "FILE"; empty: a flag, or one of `choices`
  std::vector<std::string> choices;
  std::string range;          ///< "1 to 1024"; empty: anything
  std::string default_value;  ///< empty: none
  std::string description;    ///< words to be typed in `backquotes`; no full stop at its end
  std::string group;
  bool positional = false;
  bool required = false;
  bool repeated = false;  ///< takes any number of values

  /// "N", "text|tokens"; empty for a flag.
  std::string value() const;
  bool operator==(const OptionText& other) const = default;
};

OptionText describe(const CLI::Option& option);

/// Lines of at most `width` characters, broken at spaces; line breaks of `text` stay, lines that
/// begin with two spaces stay as they are. A longer word has a line of its own.
std::vector<std::string> wrap(const std::string& text, std::size_t width);

/// `text` with every backquote taken out.
std::string without_marks(std::string text);

/// The help: descriptions, ranges and defaults in lines of 80 characters.
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
