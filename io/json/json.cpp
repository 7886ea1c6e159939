#include "io/json/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace elmo {
namespace {

using nlohmann::ordered_json;

std::string escaped(std::string_view text, bool ascii) {
  return ordered_json(text).dump(-1, ' ', ascii, ordered_json::error_handler_t::replace);
}

ordered_json converted(const Json& json) {
  return std::visit(
      [](const auto& value) -> ordered_json {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Json::Array>) {
          ordered_json::array_t elements;
          for (const Json& element : value) elements.push_back(converted(element));
          return elements;
        } else if constexpr (std::is_same_v<Value, Json::Object>) {
          ordered_json::object_t members;
          members.reserve(value.size());
          // emplace() would look for the key first.
          for (const Json::Member& member : value) {
            members.emplace_back(member.key, converted(member.value));
          }
          return members;
        } else {
          return value;
        }
      },
      json.value());
}

bool is_pair(const Json& json) {
  const auto* const elements = std::get_if<Json::Array>(&json.value());
  return elements != nullptr && elements->size() == 2 &&
         std::holds_alternative<std::string>(elements->front().value());
}

}  // namespace

std::string json_text(std::string_view text) { return escaped(text, false); }

std::string ascii_json_text(std::string_view text) { return escaped(text, true); }

Json::Json(std::initializer_list<Json> elements) {
  if (!std::ranges::all_of(elements, is_pair)) {
    value_ = Array(elements);
    return;
  }
  Object members;
  for (const Json& element : elements) {
    const Array& pair = std::get<Array>(element.value_);
    members.push_back({std::get<std::string>(pair.front().value_), pair.back()});
  }
  value_ = std::move(members);
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Object();
  Object& members = std::get<Object>(value_);
  const auto found = std::ranges::find(members, key, &Member::key);
  if (found != members.end()) return found->value;
  return members.emplace_back(Member{std::string(key), {}}).value;
}

void Json::push_back(Json element) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Array();
  std::get<Array>(value_).push_back(std::move(element));
}

std::string Json::dump(int indent) const {
  return converted(*this).dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace elmo
