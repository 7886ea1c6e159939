// Values of JSON that nobody vouches for, as messages show them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace elmo {

/// A value of nlohmann's json or ordered_json in ASCII: "an array" or "an object" of what holds
/// anything, all else as JSON, cut to `longest` bytes and three dots. Throws std::bad_alloc only.
/// Any thread.
template <typename Value>
std::string shown_json(const Value& value, std::size_t longest = 80) {
  // dump() calls itself for what is nested: a hundred thousand brackets overflow the stack.
  if (value.is_structured() && !value.empty()) return value.is_array() ? "an array" : "an object";
  std::string text = value.dump(-1, ' ', true, Value::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

}  // namespace elmo
