// One record of a JSON Lines file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace elmo {

struct JsonRecord {
  std::string text;
  std::optional<std::string> id;  ///< a number is kept as it is written, as far as 64 bits go

  // Where the text is written in the JSON: from behind its first quotation mark to its last one.
  std::size_t text_begin = 0;
  std::size_t text_end = 0;
};

/// The two fields of the object that `json` (valid UTF-8) holds; of a field that stands there
/// twice, the last. InputError saying what was found and what was expected; the caller knows where.
/// Neither nesting nor size makes it need more memory than a small multiple of the text's.
JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field);

/// What stands between the quotation marks of a JSON string that is well-formed.
std::string unescape_json(std::string_view written);

/// The first escape \uD800 to \uDFFF at or after `from` that is not half of a surrogate pair: no
/// character, and so no JSON that every reader accepts, but met in files nonetheless. npos if there
/// is none.
std::size_t find_lone_surrogate(std::string_view json, std::size_t from);

}  // namespace elmo
