#include "cli/flags/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/error.h"

namespace elmo {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& found,
                         const std::string& expected) {
  throw CLI::ValidationError(option, "found '" + found + "', expected " + expected);
}

/// The number that `text` begins with, and how many characters spell it; nothing where it begins
/// with none or with one that is too large.
template <typename Number>
std::optional<std::pair<Number, std::size_t>> leading_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return std::pair{number, static_cast<std::size_t>(end - text.data())};
}

float parse_number(const std::string& option, std::string_view text) {
  const auto number = leading_number<float>(text);
  if (!number || number->second != text.size() || !std::isfinite(number->first)) {
    refuse(option, std::string(text), "a finite number");
  }
  return number->first;
}

std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  const auto number = leading_number<std::uint64_t>(text);
  std::uint64_t factor = 0;
  if (number && number->first > 0) {
    std::string unit = text.substr(number->second);
    for (char& letter : unit) letter = static_cast<char>(std::toupper(letter));
    constexpr std::string_view kPrefixes = "KMGT";
    for (std::size_t i = 0; i < kPrefixes.size(); ++i) {
      const std::string prefix(1, kPrefixes[i]);
      if (unit == prefix || unit == prefix + "B" || unit == prefix + "IB") {
        factor = std::uint64_t{1} << (10 * (i + 1));
      }
    }
    if (unit.empty() || unit == "B") factor = 1;
  }
  if (factor == 0 || number->first > std::numeric_limits<std::uint64_t>::max() / factor) {
    refuse(option, text, "a number of bytes, such as 65536, 64M or 1GiB");
  }
  return number->first * factor;
}

}  // namespace

std::uint64_t parse_whole(const std::string& option, const std::string& text, std::uint64_t least,
                          std::uint64_t most) {
  const auto number = leading_number<std::uint64_t>(text);
  if (!number || number->second != text.size() || number->first < least || number->first > most) {
    refuse(option, text,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number->first;
}

CLI::Option* add_bytes(CLI::App* app, const std::string& name, std::uint64_t& bytes,
                       const std::string& help) {
  const auto assign = [name, &bytes](const std::string& text) { bytes = parse_bytes(name, text); };
  return app->add_option_function<std::string>(name, assign, help)->option_text("BYTES");
}

CLI::Option* add_number(CLI::App* app, const std::string& name, float& number, const char* unit,
                        const std::string& help) {
  const auto assign = [name, &number](const std::string& text) {
    number = parse_number(name, text);
  };
  return app->add_option_function<std::string>(name, assign, help)->option_text(unit);
}

CLI::Option* add_numbers(CLI::App* app, const std::string& name, std::vector<float>& numbers,
                         const char* unit, const std::string& help) {
  const auto assign = [name, &numbers](const std::string& text) {
    numbers.clear();
    const std::string_view list = text;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      numbers.push_back(parse_number(name, list.substr(begin, end - begin)));
      begin = end + 1;
    }
  };
  return app->add_option_function<std::string>(name, assign, help)->option_text(unit);
}

void only_with(const CLI::App& app, const std::string& option, bool allowed,
               const std::string& companion) {
  if (!allowed && app.count(option) > 0) {
    throw RequestError(option + " makes sense only with " + companion);
  }
}

}  // namespace elmo
