// The kinds of options that subcommands register.
//
// Registered options are the single source of the help, the manual page, OPTIONS.md and the shell
// completions. The unit is the option's type name, the range is the description of its validator,
// and the default is taken from the bound variable. Descriptions put literal words in `backquotes`,
// are one line of any length, and end without a full stop.
//
// Numbers are parsed here because CLI11 2.1 reads 010 as 8 and -1 as 2^64-1, and its ranges accept
// NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/enum_table.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

/// An option of a command, or a positional argument. A reference: copies are the same option. Each
/// setter returns the option. The command must outlive it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

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

/// The options and subcommands of a command. A reference: copies are the same command. The command
/// and the variables bound to options must outlive it. See above for the style of help texts.
class Options {
 public:
  explicit Options(CLI::App* command, std::string group = "")
      : command_(command), group_(std::move(group)) {}

  Options add_subcommand(const std::string& name, const std::string& summary) const;
  /// Returns the same command. Options and subcommands that are added to the result have this
  /// heading in the help.
  Options in_group(const std::string& name) const { return Options(command_, name); }
  /// Makes a subcommand mandatory.
  void require_subcommand() const;
  /// Sets the text below the options.
  void footer(const std::string& text) const;
  /// Sets a function to call after parsing if the command was chosen.
  void callback(const std::function<void()>& parsed) const;

  /// Add a positional argument.
  Option add_argument(const std::string& name, std::string& value, const std::string& help) const;
  Option add_argument(const std::string& name, std::vector<std::string>& values,
                      const std::string& help) const;
  /// Add an option with a value in the unit `unit`: "N", "FILE".
  Option add_option(const std::string& name, std::string& value, const std::string& unit,
                    const std::string& help) const;
  Option add_option(const std::string& name, std::vector<std::string>& values,
                    const std::string& unit, const std::string& help) const;
  Option add_option_function(const std::string& name, const std::string& unit,
                             const std::function<void(const std::string&)>& assign,
                             const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;
  Option get_option(const std::string& name) const;
  void remove_option(const Option& option) const;

  /// Returns the names of the options that were given, such as "--gamma". Positional arguments are
  /// not included. Call it after parsing.
  std::set<std::string> given() const;

 private:
  Option added(CLI::Option* option) const;

  CLI::App* command_;
  std::string group_;  // empty: the default one
};

/// Whole numbers, both ends included.
struct WholeRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

  bool holds(std::uint64_t number) const { return number >= least && number <= most; }
  std::string text() const;  ///< "1 to 1024"; large powers as "2^30" or "10^6"
};

/// Finite numbers. No range contains NaN.
struct NumberRange {
  enum class End { included, excluded };

  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  End least_end = End::included;
  End most_end = End::included;

  bool holds(double number) const;
  std::string text() const;  ///< "more than 0, at most 10^6"; empty: every finite number
};

inline constexpr NumberRange kPositive{.least = 0, .least_end = NumberRange::End::excluded};
inline constexpr NumberRange kNotNegative{.least = 0};
inline constexpr NumberRange kShare{.least = 0, .most = 1, .most_end = NumberRange::End::excluded};

/// Parses a number of bytes with an optional unit: "65536", "64M", "1GiB". K, M, G and T are powers
/// of 1024. Returns nothing if `text` has another form or the number exceeds 64 bits.
std::optional<std::uint64_t> byte_count(std::string_view text);

/// Adds an option that takes one of `words` and passes it to `assign`. `present` is the default, if
/// not empty.
Option add_word(const Options& app, const std::string& name, const std::vector<std::string>& words,
                const std::string& present, const std::function<void(const std::string&)>& assign,
                const std::string& help);
Option add_word(const Options& app, const std::string& name, std::string& word,
                const std::vector<std::string>& words, const std::string& help);

/// Adds an option that takes one of the words of `table` and assigns its meaning to `value`, an
/// enum or an std::optional of it. The default is the word for the current `value`, if there is
/// one.
template <typename Value, typename Enum, std::size_t size>
Option add_choice(const Options& app, const std::string& name, Value& value,
                  const EnumTable<Enum, size>& table, const std::string& help) {
  std::vector<std::string> words;
  std::string present;
  for (const auto& [word, meaning] : table) {
    words.emplace_back(word);
    if (value == meaning) present = word;
  }
  const auto assign = [table, &value](const std::string& word) {
    value = table.find(word).value();
  };
  return add_word(app, name, words, present, assign, help);
}

/// Adds an option in the unit `unit` whose text must pass `accepts`, and passes it to `assign`. The
/// help shows `range`. Error messages name `expected`, such as "a whole number".
Option add_checked(const Options& app, const std::string& name, const std::string& unit,
                   const std::string& range, const std::string& expected,
                   const std::function<bool(const std::string&)>& accepts,
                   const std::function<void(const std::string&)>& assign, const std::string& help);

/// Adds an option that takes a whole number within `range` and passes it to `assign`.
Option add_whole(const Options& app, const std::string& name, const std::string& unit,
                 WholeRange range, const std::function<void(std::uint64_t)>& assign,
                 const std::string& help);

/// Adds an option that takes a whole number within [least, most]. The default is the current
/// `value`, unless it is out of range.
template <typename Integer>
Option add_whole(const Options& app, const std::string& name, Integer& value,
                 const std::string& unit, Integer least, Integer most, const std::string& help) {
  const auto assign = [&value](std::uint64_t number) { value = static_cast<Integer>(number); };
  const WholeRange range{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
  Option option = add_whole(app, name, unit, range, assign, help);
  if (value >= least && value <= most) option.default_str(std::to_string(value));
  return option;
}

/// Adds an option that takes a number of bytes, at least 1: "64M", "1GiB". K, M, G and T are powers
/// of 1024. The default is the current `bytes`.
Option add_bytes(const Options& app, const std::string& name, std::uint64_t& bytes,
                 const std::string& help);

/// Adds an option that takes a finite number within `range`. The default is the current `number`,
/// unless it is out of range.
Option add_number(const Options& app, const std::string& name, float& number,
                  const std::string& unit, NumberRange range, const std::string& help);

/// Adds an option that takes finite numbers separated by commas.
Option add_numbers(const Options& app, const std::string& name, std::vector<float>& numbers,
                   const std::string& unit, const std::string& help);

}  // namespace elmo
