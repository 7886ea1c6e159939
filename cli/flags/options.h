// The kinds of options that subcommands register.
//
// Registered options are the single source of the help, the manual page, OPTIONS.md and the shell
// completions. The unit is the option's type name, the range is the description of its validator,
// and the default is taken from the bound variable. Descriptions put literal words in `backquotes`,
// are one line of any length, and end without a full stop.
//
// Numbers are parsed by cli/flags/ranges.h because CLI11 2.1 reads 010 as 8 and -1 as 2^64-1, and
// its ranges accept NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/flags/definition.h"
#include "cli/flags/ranges.h"
#include "core/enum_table.h"

namespace elmo {

/// Adds an option that takes one of `words` and passes it to `assign`. `present` is the default, if
/// not empty.
Option add_word(Options app, const std::string& name, const std::vector<std::string>& words,
                const std::string& present, const std::function<void(const std::string&)>& assign,
                const std::string& help);
Option add_word(Options app, const std::string& name, std::string& word,
                const std::vector<std::string>& words, const std::string& help);

/// Adds an option that takes one of the words of `table` and assigns its meaning to `value`, an
/// enum or an std::optional of it. The default is the word for the current `value`, if there is
/// one.
template <typename Value, typename Enum, std::size_t size>
Option add_choice(Options app, const std::string& name, Value& value,
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
Option add_checked(Options app, const std::string& name, const std::string& unit,
                   const std::string& range, const std::string& expected,
                   const std::function<bool(const std::string&)>& accepts,
                   const std::function<void(const std::string&)>& assign, const std::string& help);

/// Adds an option that takes a whole number within `range` and passes it to `assign`.
Option add_whole(Options app, const std::string& name, const std::string& unit, WholeRange range,
                 const std::function<void(std::uint64_t)>& assign, const std::string& help);

/// Adds an option that takes a whole number within [least, most]. The default is the current
/// `value`, unless it is out of range.
template <typename Integer>
Option add_whole(Options app, const std::string& name, Integer& value, const std::string& unit,
                 Integer least, Integer most, const std::string& help) {
  const auto assign = [&value](std::uint64_t number) { value = static_cast<Integer>(number); };
  const WholeRange range{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
  Option option = add_whole(app, name, unit, range, assign, help);
  if (value >= least && value <= most) option->default_str(std::to_string(value));
  return option;
}

/// Adds an option that takes a number of bytes, at least 1: "64M", "1GiB". K, M, G and T are powers
/// of 1024. The default is the current `bytes`.
Option add_bytes(Options app, const std::string& name, std::uint64_t& bytes,
                 const std::string& help);

/// Adds an option that takes a finite number within `range`. The default is the current `number`,
/// unless it is out of range.
Option add_number(Options app, const std::string& name, float& number, const std::string& unit,
                  NumberRange range, const std::string& help);

/// Adds an option that takes finite numbers separated by commas.
Option add_numbers(Options app, const std::string& name, std::vector<float>& numbers,
                   const std::string& unit, const std::string& help);

/// Throws RequestError, "--gamma makes sense only with --layers mix", if `option` was given and
/// `allowed` is false.
void only_with(const Options& app, const std::string& option, bool allowed,
               const std::string& companion);

}  // namespace elmo
