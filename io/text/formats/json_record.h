// One record of a JSON Lines file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/json/json_fields.h"

namespace elmo {

struct JsonRecord {
  std::string text;
  std::optional<std::string> id;  ///< a number is kept as written (up to 64 bits)
};

/// Returns the two fields of the object in `json` (valid UTF-8). If a field occurs twice, the last
/// one counts. InputError with what was found and expected; the caller adds the location. Memory
/// stays within a small multiple of the size of the text, whatever its nesting.
JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field);

/// Applies before_repair() to the strings of a text or list. `marked` is the same field, parsed
/// from the marked line.
void take_back_repairs(const JsonField& marked, JsonField& field);

/// Returns the position at or after `from` of the first escape \uD800 to \uDFFF that is not part of
/// a surrogate pair; npos if there is none. Such an escape is not a character, and not
/// every JSON reader accepts it, but it occurs in real files.
std::size_t find_lone_surrogate(std::string_view json, std::size_t from);

}  // namespace elmo
