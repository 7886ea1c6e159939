#include "cli/flags/options.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "cli/numbers/human.h"
#include "core/error.h"

namespace elmo {
namespace {

/// Returns the numbers in a comma-separated list; nothing if an item is not a number.
std::optional<std::vector<float>> finite_numbers(std::string_view list) {
  std::vector<float> numbers;
  for (const std::string_view item : comma_list(list)) {
    const std::optional<float> number = finite_number(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Option add_word(Options app, const std::string& name, const std::vector<std::string>& words,
                const std::string& present, const std::function<void(const std::string&)>& assign,
                const std::string& help) {
  return app->add_option_function(name, assign, help)
      ->type_name("")
      ->one_of(words)
      ->default_str(present);
}

Option add_word(Options app, const std::string& name, std::string& word,
                const std::vector<std::string>& words, const std::string& help) {
  const auto assign = [&word](const std::string& chosen) { word = chosen; };
  return add_word(app, name, words, word, assign, help);
}

Option add_checked(Options app, const std::string& name, const std::string& unit,
                   const std::string& range, const std::string& expected,
                   const std::function<bool(const std::string&)>& accepts,
                   const std::function<void(const std::string&)>& assign, const std::string& help) {
  const auto problem = [accepts, expected](const std::string& text) {
    return accepts(text) ? std::string() : "found '" + text + "', expected " + expected;
  };
  return app->add_option_function(name, assign, help)->type_name(unit)->check(problem, range);
}

Option add_whole(Options app, const std::string& name, const std::string& unit, WholeRange range,
                 const std::function<void(std::uint64_t)>& assign, const std::string& help) {
  const auto accepts = [range](const std::string& text) {
    const std::optional<std::uint64_t> number = whole_number(text);
    return number && range.holds(*number);
  };
  return add_checked(
      app, name, unit, range.text(), "a whole number from " + range.text(), accepts,
      [assign](const std::string& text) { assign(*whole_number(text)); }, help);
}

Option add_bytes(Options app, const std::string& name, std::uint64_t& bytes,
                 const std::string& help) {
  const auto accepts = [](const std::string& text) { return byte_count(text).value_or(0) > 0; };
  return add_checked(
             app, name, "BYTES", "1 to 2^64-1; K, M, G and T are powers of 1024",
             "a number of bytes from 1 to 2^64-1, such as 65536, 64M or 1GiB", accepts,
             [&bytes](const std::string& text) { bytes = *byte_count(text); }, help)
      ->default_str(human_bytes(bytes));
}

Option add_number(Options app, const std::string& name, float& number, const std::string& unit,
                  NumberRange range, const std::string& help) {
  const auto accepts = [range](const std::string& text) {
    const std::optional<float> found = finite_number(text);
    return found && range.holds(static_cast<double>(*found));
  };
  const std::string text = range.text();
  Option option = add_checked(
      app, name, unit, text, "a finite number" + (text.empty() ? "" : ", " + text), accepts,
      [&number](const std::string& found) { number = *finite_number(found); }, help);
  const auto present = static_cast<double>(number);
  if (range.holds(present)) option->default_str(human_number(present, 6));
  return option;
}

Option add_numbers(Options app, const std::string& name, std::vector<float>& numbers,
                   const std::string& unit, const std::string& help) {
  return add_checked(
      app, name, unit, "", "finite numbers separated by commas",
      [](const std::string& list) { return finite_numbers(list).has_value(); },
      [&numbers](const std::string& list) { numbers = *finite_numbers(list); }, help);
}

void only_with(const Options& app, const std::string& option, bool allowed,
               const std::string& companion) {
  if (!allowed && app.count(option) > 0) {
    throw RequestError(option + " makes sense only with " + companion);
  }
}

}  // namespace elmo
