// Small additions to CLI11 that all subcommands register their options with.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace elmo {

inline constexpr std::size_t kHelpColumn = 30;  ///< column where the help's descriptions begin

/// An option that takes one of a few words, shown as "text|tokens|…"; `value` gets its meaning.
template <typename Value>
CLI::Option* add_choice(CLI::App* app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& help) {
  std::string words;
  for (const auto& choice : choices) words += (words.empty() ? "" : "|") + choice.first;
  const auto assign = [name, choices, words, &value](const std::string& word) {
    for (const auto& choice : choices) {
      if (choice.first == word) {
        value = choice.second;
        return;
      }
    }
    throw CLI::ValidationError(name, "'" + word + "' is not one of " + words);
  };
  return app->add_option_function<std::string>(name, assign, help)->option_text(words);
}

/// The whole number that `text` spells. CLI::ValidationError naming `option` where it is none or
/// not within [least, most].
std::uint64_t parse_whole(const std::string& option, const std::string& text, std::uint64_t least,
                          std::uint64_t most);

/// An option that takes a whole number within [least, most], shown as `unit`.
template <typename Integer>
CLI::Option* add_whole(CLI::App* app, const std::string& name, Integer& value, const char* unit,
                       Integer least, Integer most, const std::string& help) {
  const auto assign = [=, &value](const std::string& text) {
    value = static_cast<Integer>(parse_whole(name, text, static_cast<std::uint64_t>(least),
                                             static_cast<std::uint64_t>(most)));
  };
  return app->add_option_function<std::string>(name, assign, help)->option_text(unit);
}

/// An option that takes a number of bytes, at least 1: "64M", "1GiB"; K, M, G and T are powers of
/// 1024.
CLI::Option* add_bytes(CLI::App* app, const std::string& name, std::uint64_t& bytes,
                       const std::string& help);

/// An option that takes a finite number, or several with commas between them, shown as `unit`.
CLI::Option* add_number(CLI::App* app, const std::string& name, float& number, const char* unit,
                        const std::string& help);
CLI::Option* add_numbers(CLI::App* app, const std::string& name, std::vector<float>& numbers,
                         const char* unit, const std::string& help);

/// RequestError, "--gamma makes sense only with --layers mix", where `option` was given and
/// `allowed` is false.
void only_with(const CLI::App& app, const std::string& option, bool allowed,
               const std::string& companion);

}  // namespace elmo
