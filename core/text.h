// Texts: joining, splitting and parsing them, and numbers as people read them.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace elmo {

/// Hashes a text or a view of it.
template <typename Text>
struct TextHash {
  using View = std::basic_string_view<typename Text::value_type>;
  using is_transparent = void;
  std::size_t operator()(View text) const { return std::hash<View>()(text); }
};

/// A map whose keys are texts. Views of texts find them, too.
template <typename Value, typename Text = std::string>
using TextMap = std::unordered_map<Text, Value, TextHash<Text>, std::equal_to<>>;

/// Returns the texts of all elements, with `separator` between them: "a, b, c". `text` returns the
/// text of an element; it may be a pointer to a member.
template <typename Range, typename Text = std::identity>
std::string joined(const Range& range, std::string_view separator, const Text& text = {}) {
  std::string all;
  bool first = true;
  for (const auto& element : range) {
    if (!std::exchange(first, false)) all += separator;
    all += std::invoke(text, element);
  }
  return all;
}

/// Returns "a", "a or b", "a, b or c". `texts` must not be empty.
inline std::string alternatives(std::vector<std::string> texts) {
  const std::string last = std::move(texts.back());
  texts.pop_back();
  return texts.empty() ? last : joined(texts, ", ").append(" or ").append(last);
}

/// Returns the parts of `text` between separators, one more than there are separators. They are
/// valid as long as the text is.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Returns input, valid UTF-8, as messages quote it: at most 200 characters; if there are more,
/// with an ellipsis instead of the rest.
inline std::string excerpt(std::string_view text) {
  constexpr std::size_t kMaxCharacters = 200;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_character = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins_character && characters++ == kMaxCharacters) {
      return std::string(text.substr(0, at)) + "…";
    }
  }
  return std::string(text);
}

/// Appends `text` to `texts` if it is not there yet.
inline void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

/// True if `text` is one or more ASCII digits.
inline bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns the number that all of `text` spells, as std::from_chars reads it; nothing if `text` is
/// not a number or the number is out of range.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return number;
}

/// Formats like printf. The compiler checks the types of the values.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* pattern, ...);

std::string human_count(std::uint64_t count);  ///< "1,234,567"
std::string human_bytes(std::uint64_t bytes);  ///< "1.5 GiB", "640 bytes"

/// "0.42 s", "7 s", "3 min 20 s", "5 h 02 min". Estimates may be infinite or NaN: the maximum is 30
/// years, and NaN and negative times count as 0.
std::string human_time(std::chrono::duration<double> time);
std::string human_time(double seconds);
/// The same in whole seconds, rounded up.
std::string human_time_left(std::chrono::duration<double> time);

/// Rounds to the nearest whole number, at most 10^18. Returns 0 for NaN and negative numbers. A
/// cast would be undefined for numbers that do not fit.
std::uint64_t nearest_whole(double number);

/// "1,234 tokens/s"; the rate is rounded by nearest_whole.
std::string human_rate(double per_second, const std::string& units);
/// The rate of `count` units in `time`.
std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units);

/// "39.712", "0.00098": `digits` significant digits, without trailing zeros.
std::string human_number(double number, int digits);

/// "1 token", "2 tokens", "2 entries": the count with its noun. The plural is regular.
std::string human_count(std::uint64_t count, const std::string& noun);

}  // namespace elmo
