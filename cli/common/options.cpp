#include "cli/common/options.h"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include "core/text.h"

namespace elmo {

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
  const auto problem = [words](const std::string& word) {
    return std::ranges::find(words, word) != words.end()
               ? std::string()
               : "found '" + excerpt(word) + "'; expected " + joined(words, ", ");
  };
  return check(problem, "{" + joined(words, ",") + "}");
}
Option Option::check(const std::function<std::string(const std::string&)>& problem,
                     const std::string& range) const {
  return Option(option_->check(CLI::Validator(problem, range)));
}

Options Options::add_subcommand(const std::string& name, const std::string& summary) const {
  CLI::App* const command = command_->add_subcommand(name, summary);
  if (!group_.empty()) command->group(group_);
  return Options(command);
}
void Options::require_subcommand() const { command_->require_subcommand(1); }
void Options::footer(const std::string& text) const { command_->footer(text); }
void Options::callback(const std::function<void()>& parsed) const { command_->callback(parsed); }

Option Options::added(CLI::Option* option) const {
  if (!group_.empty()) option->group(group_);
  return Option(option);
}
Option Options::add_argument(const std::string& name, std::string& value,
                             const std::string& help) const {
  return added(command_->add_option(name, value, help));
}
Option Options::add_argument(const std::string& name, std::vector<std::string>& values,
                             const std::string& help) const {
  return added(command_->add_option(name, values, help));
}
Option Options::add_option(const std::string& name, std::string& value, const std::string& unit,
                           const std::string& help) const {
  return added(command_->add_option(name, value, help)->type_name(unit));
}
Option Options::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& unit, const std::string& help) const {
  return added(command_->add_option(name, values, help)->type_name(unit));
}
Option Options::add_option_function(const std::string& name, const std::string& unit,
                                    const std::function<void(const std::string&)>& assign,
                                    const std::string& help) const {
  return added(command_->add_option_function<std::string>(name, assign, help)->type_name(unit));
}
Option Options::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return added(command_->add_flag(name, value, help));
}
Option Options::get_option(const std::string& name) const {
  return Option(command_->get_option(name));
}
void Options::remove_option(const Option& option) const { command_->remove_option(option.option_); }

std::set<std::string> Options::given() const {
  std::set<std::string> given;
  for (const CLI::Option* option : command_->get_options()) {
    if (option->count() == 0) continue;
    for (const std::string& name : option->get_lnames()) given.insert("--" + name);
  }
  return given;
}

namespace {

/// A bound as people write it: 1024, 2^30, 2^64-1, 10^6.
std::string bound_text(std::uint64_t bound) {
  constexpr std::uint64_t kLong = 1'000'000;
  if (bound < kLong) return std::to_string(bound);
  if (std::has_single_bit(bound)) return "2^" + std::to_string(std::countr_zero(bound));
  const std::uint64_t next = bound + 1;  // 0 after the largest
  if (next == 0) return "2^64-1";
  if (std::has_single_bit(next)) return "2^" + std::to_string(std::countr_zero(next)) + "-1";
  int zeros = 0;
  for (; bound % 10 == 0; bound /= 10) ++zeros;
  const std::string digits = std::to_string(bound);
  if (digits == "1") return "10^" + std::to_string(zeros);
  return digits + std::string(static_cast<std::size_t>(zeros), '0');
}

std::string bound_text(double bound) {
  constexpr double kLong = 1e6;
  const bool whole = bound >= kLong && bound == std::floor(bound) && bound < 1e18;
  return whole ? bound_text(static_cast<std::uint64_t>(bound)) : human_number(bound, 6);
}

/// Bytes in a unit: "", "B", "K", "kB", "MiB", …; 0 if `unit` is not valid.
std::uint64_t unit_bytes(std::string_view unit) {
  std::string upper(unit);
  for (char& letter : upper) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  if (upper.empty() || upper == "B") return 1;
  constexpr std::string_view kPrefixes = "KMGT";
  const std::size_t power = kPrefixes.find(upper.front());
  const std::string_view rest = std::string_view(upper).substr(1);
  if (power == std::string_view::npos || !(rest.empty() || rest == "B" || rest == "IB")) return 0;
  return std::uint64_t{1} << (10 * (power + 1));
}

}  // namespace

std::string WholeRange::text() const { return bound_text(least) + " to " + bound_text(most); }

bool NumberRange::holds(double number) const {
  if (!std::isfinite(number)) return false;
  const bool above = least_end == End::included ? number >= least : number > least;
  const bool below = most_end == End::included ? number <= most : number < most;
  return above && below;
}

std::string NumberRange::text() const {
  std::string text;
  if (std::isfinite(least)) {
    text = (least_end == End::included ? "at least " : "more than ") + bound_text(least);
  }
  if (std::isfinite(most)) {
    if (!text.empty()) text += ", ";
    text += (most_end == End::included ? "at most " : "less than ") + bound_text(most);
  }
  return text;
}

std::optional<std::uint64_t> byte_count(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit_begin, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::uint64_t unit = unit_bytes({unit_begin, end});
  if (unit == 0 || number > std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
  return number * unit;
}

namespace {

/// Parses all of `text` as a decimal number. Returns nothing if it is not a finite number of the
/// type.
std::optional<float> finite_number(std::string_view text) {
  const std::optional<float> number = number_of<float>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Returns the numbers in a comma-separated list; nothing if an item is not a number.
std::optional<std::vector<float>> finite_numbers(std::string_view list) {
  std::vector<float> numbers;
  for (const std::string_view item : split(list, ',')) {
    const std::optional<float> number = finite_number(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Option add_word(const Options& app, const std::string& name, const std::vector<std::string>& words,
                const std::string& present, const std::function<void(const std::string&)>& assign,
                const std::string& help) {
  return app.add_option_function(name, "", assign, help).one_of(words).default_str(present);
}

Option add_word(const Options& app, const std::string& name, std::string& word,
                const std::vector<std::string>& words, const std::string& help) {
  const auto assign = [&word](const std::string& chosen) { word = chosen; };
  return add_word(app, name, words, word, assign, help);
}

Option add_checked(const Options& app, const std::string& name, const std::string& unit,
                   const std::string& range, const std::string& expected,
                   const std::function<bool(const std::string&)>& accepts,
                   const std::function<void(const std::string&)>& assign, const std::string& help) {
  const auto problem = [accepts, expected](const std::string& text) {
    return accepts(text) ? std::string() : "found '" + excerpt(text) + "'; expected " + expected;
  };
  return app.add_option_function(name, unit, assign, help).check(problem, range);
}

Option add_whole(const Options& app, const std::string& name, const std::string& unit,
                 WholeRange range, const std::function<void(std::uint64_t)>& assign,
                 const std::string& help) {
  const auto accepts = [range](const std::string& text) {
    const std::optional<std::uint64_t> number = number_of<std::uint64_t>(text);
    return number && range.holds(*number);
  };
  return add_checked(
      app, name, unit, range.text(), "a whole number from " + range.text(), accepts,
      [assign](const std::string& text) { assign(*number_of<std::uint64_t>(text)); }, help);
}

Option add_bytes(const Options& app, const std::string& name, std::uint64_t& bytes,
                 const std::string& help) {
  const auto accepts = [](const std::string& text) { return byte_count(text).value_or(0) > 0; };
  return add_checked(
             app, name, "BYTES", "1 to 2^64-1; K, M, G and T are powers of 1024",
             "a number of bytes from 1 to 2^64-1, such as 65536, 64M or 1GiB", accepts,
             [&bytes](const std::string& text) { bytes = *byte_count(text); }, help)
      .default_str(human_bytes(bytes));
}

Option add_number(const Options& app, const std::string& name, float& number,
                  const std::string& unit, NumberRange range, const std::string& help) {
  const auto accepts = [range](const std::string& text) {
    const std::optional<float> found = finite_number(text);
    return found && range.holds(static_cast<double>(*found));
  };
  const std::string text = range.text();
  Option option = add_checked(
      app, name, unit, text, "a finite number" + (text.empty() ? "" : ", " + text), accepts,
      [&number](const std::string& found) { number = *finite_number(found); }, help);
  const auto present = static_cast<double>(number);
  if (range.holds(present)) option.default_str(human_number(present, 6));
  return option;
}

Option add_numbers(const Options& app, const std::string& name, std::vector<float>& numbers,
                   const std::string& unit, const std::string& help) {
  return add_checked(
      app, name, unit, "", "finite numbers separated by commas",
      [](const std::string& list) { return finite_numbers(list).has_value(); },
      [&numbers](const std::string& list) { numbers = *finite_numbers(list); }, help);
}

}  // namespace elmo
