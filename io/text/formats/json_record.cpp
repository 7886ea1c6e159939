#include "io/text/formats/json_record.h"

#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the code unit of the escape \uXXXX at `position`, or -1 if there is none.
int escaped_unit(std::string_view json, std::size_t position) {
  const std::string_view escape = json.substr(position, 6);
  if (escape.size() < 6 || !escape.starts_with("\\u")) return -1;
  int unit = 0;
  const char* end = escape.data() + escape.size();
  return std::from_chars(escape.data() + 2, end, unit, 16).ptr == end ? unit : -1;
}

bool is_high_surrogate(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low_surrogate(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

}  // namespace

JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field) {
  const std::array<std::string, 2> names = {text_field, id_field};
  // The same field may serve as both.
  const std::size_t count = text_field == id_field ? 1 : 2;
  std::vector<JsonField> fields = parse_json_fields(json, std::span(names).first(count));
  JsonField& text = fields.front();
  const JsonField& id = fields.back();
  if (text.kind != JsonField::Kind::text) refuse_field(text, text_field, "a string");
  if (!id.is_text() && id.kind != JsonField::Kind::absent) {
    refuse_field(id, id_field, "a string or a number");
  }
  JsonRecord record;
  if (id.is_text()) record.id = id.text;
  record.text = std::move(text.text);
  return record;
}

void take_back_repairs(const JsonField& marked, JsonField& field) {
  field.text = before_repair(field.text, marked.text);
  for (std::size_t i = 0; i < field.list.size() && i < marked.list.size(); ++i) {
    field.list[i] = before_repair(field.list[i], marked.list[i]);
  }
}

std::size_t find_lone_surrogate(std::string_view json, std::size_t from) {
  std::size_t position = json.find('\\', from);
  while (position < json.size()) {
    const int unit = escaped_unit(json, position);
    std::size_t escape = 2;
    if (is_high_surrogate(unit) && is_low_surrogate(escaped_unit(json, position + 6))) {
      escape = 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      return position;
    }
    position = json.find('\\', position + escape);
  }
  return std::string_view::npos;
}

}  // namespace elmo
