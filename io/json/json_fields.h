// Fields of one record of JSON Lines, read without building a value of all of it.
//
// Records are the stream that text comes in, by the million. What is not asked for is parsed and
// dropped. The parser does not call itself: nesting costs a bit a level, so it needs no limit here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// What a field of a record holds.
struct JsonField {
  enum class Kind { absent, text, number, list, other };

  Kind kind = Kind::absent;       ///< null is absent
  std::string text;               ///< of a text; of a number as it is written, as far as 64 bits go
  std::vector<std::string> list;  ///< of strings, and of numbers likewise
  const char* found = "no";       ///< for messages: "a string", "a number", "an object", …

  bool is_text() const { return kind == Kind::text || kind == Kind::number; }
};

/// The fields of these names in the object that `json` (valid UTF-8) holds, in the order of the
/// names; of a field that stands there twice, the last. Other fields may hold anything. InputError
/// saying what was found and what was expected, where it is no object; the caller knows the line.
/// Neither nesting nor size makes it need more memory than a small multiple of the text's.
std::vector<JsonField> parse_json_fields(std::string_view json, std::span<const std::string> names);

/// InputError: "found an object in the field 'text'; expected a string".
[[noreturn]] void refuse_field(const JsonField& field, const std::string& name,
                               const std::string& expected);

}  // namespace elmo
