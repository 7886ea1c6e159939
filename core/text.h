// Lists and numbers in texts: joining, splitting and parsing.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace elmo {

/// Returns the texts of all elements, with `separator` between them: "a, b, c". `text` returns the
/// text of an element; a member will do.
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

/// Returns "1 column", "2 columns" and so on.
inline std::string count_text(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
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

}  // namespace elmo
