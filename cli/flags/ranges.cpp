#include "cli/flags/ranges.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "cli/numbers/human.h"

namespace elmo {
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

/// Returns the number at the beginning of `text` and its length in characters; nothing if there is
/// none or it is too large.
template <typename Number>
std::optional<std::pair<Number, std::size_t>> leading_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return std::pair{number, static_cast<std::size_t>(end - text.data())};
}

/// Returns all of `text` as one number.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  const auto number = leading_number<Number>(text);
  if (!number || number->second != text.size()) return std::nullopt;
  return number->first;
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

std::optional<std::uint64_t> whole_number(std::string_view text) {
  return number_of<std::uint64_t>(text);
}

std::optional<float> finite_number(std::string_view text) {
  const std::optional<float> number = number_of<float>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::vector<std::string_view> comma_list(std::string_view list) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    items.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::optional<std::uint64_t> byte_count(std::string_view text) {
  const auto number = leading_number<std::uint64_t>(text);
  if (!number) return std::nullopt;
  const std::uint64_t unit = unit_bytes(text.substr(number->second));
  if (unit == 0 || number->first > std::numeric_limits<std::uint64_t>::max() / unit) {
    return std::nullopt;
  }
  return number->first * unit;
}

}  // namespace elmo
