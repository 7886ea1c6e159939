// JSON values, for writing and as the content of documents that were read; text and numbers in JSON
// notation.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace elmo {

/// The shortest text that reads back as the same number: "0.1", "1e-07", "12", "inf".
template <typename Number>
std::string number_text(Number number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// Returns the text in quotes, with escapes; invalid UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

/// The same in ASCII, for messages.
std::string ascii_json_text(std::string_view text);

/// Returns the shortest text that reads back as the same number. Infinities and NaN, which JSON
/// does not have, become null.
template <typename Number>
std::string json_number(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return "null";
  }
  return number_text(number);
}

/// A JSON value. Members of an object keep the order in which they were added or read. The JSON
/// library stays out of this header because it takes long to compile. Not safe to change from two
/// threads.
class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                             Array, Object>;

  Json(std::nullptr_t = nullptr);
  template <std::same_as<bool> Bool>
  Json(Bool value);
  template <std::signed_integral Number>
  Json(Number number);
  template <std::unsigned_integral Number>
  requires(!std::same_as<Number, bool>) Json(Number number);
  template <std::floating_point Number>
  Json(Number number);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  template <typename Element>
  requires(!std::same_as<Element, Json>) Json(const std::vector<Element>& elements);
  Json(Array elements);
  Json(Object members);

  /// {{"key", value}, …} is an object: every element is a pair that begins with a string. Anything
  /// else is an array.
  Json(std::initializer_list<Json> elements);

  static Json array();
  static Json object();

  /// Returns the member's value. Null becomes an object, and a missing member is added as null.
  /// std::bad_variant_access for any other type.
  Json& operator[](std::string_view key);

  /// Adds an element. Null becomes an array. std::bad_variant_access for any other type.
  void push_back(Json element);

  const Value& value() const { return value_; }
  Value& value() { return value_; }

  /// Serializes the value, one value a line, with `indent` blanks per level; a negative indent
  /// gives a single line without blanks. Invalid UTF-8 becomes U+FFFD, numbers that are not finite
  /// become null.
  std::string dump(int indent = -1) const;

 private:
  Value value_;
};

/// A key of an object and its value.
struct Json::Member {
  std::string key;
  Json value;
};

// Defined here because the variant's functions need Member to be complete.
inline Json::Json(std::nullptr_t) {}
template <std::same_as<bool> Bool>
Json::Json(Bool value) : value_(value) {}
template <std::signed_integral Number>
Json::Json(Number number) : value_(std::int64_t{number}) {}
template <std::unsigned_integral Number>
requires(!std::same_as<Number, bool>) Json::Json(Number number) : value_(std::uint64_t{number}) {}
template <std::floating_point Number>
Json::Json(Number number) : value_(static_cast<double>(number)) {}
inline Json::Json(const char* text) : value_(std::string(text)) {}
inline Json::Json(std::string_view text) : value_(std::string(text)) {}
inline Json::Json(std::string text) : value_(std::move(text)) {}
template <typename Element>
requires(!std::same_as<Element, Json>) Json::Json(const std::vector<Element>& elements)
    : value_(Array(elements.begin(), elements.end())) {}
inline Json::Json(Array elements) : value_(std::move(elements)) {}
inline Json::Json(Object members) : value_(std::move(members)) {}
inline Json Json::array() { return Array(); }
inline Json Json::object() { return Object(); }

}  // namespace elmo
