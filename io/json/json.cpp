#include "io/json/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace elmo {
namespace {

std::string escaped(std::string_view text, bool ascii) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', ascii, json::error_handler_t::replace);
}

}  // namespace

std::string json_text(std::string_view text) { return escaped(text, false); }

std::string ascii_json_text(std::string_view text) { return escaped(text, true); }

namespace {

/// Appends a line break and the blanks of a level; nothing if all is one line.
void break_line(std::string& text, int indent, int level) {
  if (indent < 0) return;
  text += '\n';
  text.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
}

/// Writes a value at the given nesting level.
struct JsonWriter {
  void write(const Json& json, int level) {
    std::visit([&](const auto& value) { add(value, level); }, json.value());
  }

  void add(std::nullptr_t, int) { text += "null"; }
  void add(bool value, int) { text += value ? "true" : "false"; }
  void add(std::int64_t number, int) { text += std::to_string(number); }
  void add(std::uint64_t number, int) { text += std::to_string(number); }
  void add(double number, int) { text += nlohmann::json(number).dump(); }
  void add(const std::string& value, int) { text += json_text(value); }
  void add(const Json::Array& elements, int level) {
    write_all('[', elements, ']', level,
              [](const Json& element) -> const Json& { return element; });
  }
  void add(const Json::Object& members, int level) {
    write_all('{', members, '}', level, [this](const Json::Member& member) -> const Json& {
      text += json_text(member.key) + (indent < 0 ? ":" : ": ");
      return member.value;
    });
  }

  template <typename Parts, typename ValueOf>
  void write_all(char open, const Parts& parts, char close, int level, ValueOf value_of) {
    text += open;
    for (const auto& part : parts) {
      if (&part != &parts.front()) text += ',';
      break_line(text, indent, level + 1);
      write(value_of(part), level + 1);
    }
    if (!parts.empty()) break_line(text, indent, level);
    text += close;
  }

  int indent;
  std::string text;
};

bool is_pair(const Json& json) {
  const auto* const elements = std::get_if<Json::Array>(&json.value());
  return elements != nullptr && elements->size() == 2 &&
         std::holds_alternative<std::string>(elements->front().value());
}

}  // namespace

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
  JsonWriter writer{indent, {}};
  writer.write(*this, 0);
  return std::move(writer.text);
}

}  // namespace elmo
