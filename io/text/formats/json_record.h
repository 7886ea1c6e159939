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
  std::optional<std::string> id;  ///< a number is kept as it is written, as far as 64 bits go
};

/// The two fields of the object that `json` (valid UTF-8) holds; of a field that stands there
/// twice, the last. InputError saying what was found and what was expected; the caller knows where.
/// Neither nesting nor size makes it need more memory than a small multiple of the text's.
JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field);

/// Makes of a text or a list what before_repair() makes of its strings. `marked` is the same field,
/// parsed from the marked line.
void take_back_repairs(const JsonField& marked, JsonField& field);

/// The first escape \uD800 to \uDFFF at or after `from` that is not half of a surrogate pair: no
/// character, and so no JSON that every reader accepts, but met in files nonetheless. npos if there
/// is none.
std::size_t find_lone_surrogate(std::string_view json, std::size_t from);

}  // namespace elmo
