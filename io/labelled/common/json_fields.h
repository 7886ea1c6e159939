// Fields of a labelled record: strings, and lists of strings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// What a field of a record holds. A number is text as it is written, as far as 64 bits go.
struct JsonField {
  enum class Kind { absent, text, list };

  Kind kind = Kind::absent;       ///< null is absent
  std::string text;               ///< of Kind::text
  std::vector<std::string> list;  ///< of Kind::list
};

/// The fields of these names in the object that `json` (valid UTF-8) holds, in the order of the
/// names; of a field that stands there twice, the last. Other fields may hold anything. InputError
/// saying what was found and what was expected; the caller knows where. Neither nesting nor size
/// makes it need more memory than a small multiple of the text's.
std::vector<JsonField> parse_json_fields(std::string_view json, std::span<const std::string> names);

}  // namespace elmo
