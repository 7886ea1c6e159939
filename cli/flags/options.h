// The kinds of options that all subcommands register.
//
// What is registered is the one source of the help, the manual page, OPTIONS.md and the shell
// completions: the unit is the option's type name, what it may be is its validator's description,
// its default is captured from the value it is bound to. Descriptions set words to be typed in
// `backquotes`, are one line however long, and end without a full stop.
//
// Numbers are read by cli/flags/ranges.h, for CLI11 2.1 takes 010 for 8, -1 for 2^64-1, and lets
// NaN through its ranges.
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

/// An option that takes one of `words`; `assign` gets it. `present` is the default, if not empty.
Option add_word(Options app, const std::string& name, const std::vector<std::string>& words,
                const std::string& present, const std::function<void(const std::string&)>& assign,
                const std::string& help);
Option add_word(Options app, const std::string& name, std::string& word,
                const std::vector<std::string>& words, const std::string& help);

/// An option that takes one of a table's words; `value`, an enum or an std::optional of it, gets
/// what the word means. The default is the word of what `value` is now, if there is one.
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

/// An option of text that `expected` names ("a whole number"), in the unit `unit`. `accepts` says
/// whether a text is such, within what `range` tells.
Option add_checked(Options app, const std::string& name, const std::string& unit,
                   const std::string& range, const std::string& expected,
                   const std::function<bool(const std::string&)>& accepts,
                   const std::function<void(const std::string&)>& assign, const std::string& help);

/// An option that takes a whole number within `range`; `assign` gets it.
Option add_whole(Options app, const std::string& name, const std::string& unit, WholeRange range,
                 const std::function<void(std::uint64_t)>& assign, const std::string& help);

/// An option that takes a whole number within [least, most]. The default is what `value` is now,
/// unless that is out of the range.
template <typename Integer>
Option add_whole(Options app, const std::string& name, Integer& value, const std::string& unit,
                 Integer least, Integer most, const std::string& help) {
  const auto assign = [&value](std::uint64_t number) { value = static_cast<Integer>(number); };
  const WholeRange range{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
  Option option = add_whole(app, name, unit, range, assign, help);
  if (value >= least && value <= most) option->default_str(std::to_string(value));
  return option;
}

/// An option that takes a number of bytes, at least 1: "64M", "1GiB"; K, M, G and T are powers of
/// 1024. The default is what `bytes` is now.
Option add_bytes(Options app, const std::string& name, std::uint64_t& bytes,
                 const std::string& help);

/// An option that takes a finite number within `range`. The default is what `number` is now, unless
/// that is out of the range.
Option add_number(Options app, const std::string& name, float& number, const std::string& unit,
                  NumberRange range, const std::string& help);

/// An option that takes finite numbers with commas between them.
Option add_numbers(Options app, const std::string& name, std::vector<float>& numbers,
                   const std::string& unit, const std::string& help);

/// RequestError, "--gamma makes sense only with --layers mix", where `option` was given and
/// `allowed` is false.
void only_with(const Options& app, const std::string& option, bool allowed,
               const std::string& companion);

}  // namespace elmo
