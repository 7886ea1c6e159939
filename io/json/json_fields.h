// Selected fields of a JSON Lines record, read without building a value of the whole record.
//
// Inputs have millions of records. Fields that are not requested are parsed and dropped. The parser
// is not recursive: each level of nesting costs one bit, so nesting needs no limit here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// The content of one field of a record.
struct JsonField {
  enum class Kind { absent, text, number, list, lists, other };

  Kind kind = Kind::absent;       ///< null counts as absent
  std::string text;               ///< a string, or a number as written (up to 64 bits)
  std::vector<std::string> list;  ///< an array's strings and numbers, numbers as above
  /// An array of such arrays: `list` has the elements of all of them, and this has the index past
  /// the last element of each.
  std::vector<std::size_t> list_ends;
  const char* found = "no";  ///< kind of value, for messages: "a string", "null", "an object", …

  bool is_absent() const { return kind == Kind::absent; }
  bool is_text() const { return kind == Kind::text || kind == Kind::number; }
};

/// Returns the fields called `names` of the object in `json` (valid UTF-8), in the order of
/// `names`. If a field occurs twice, the last one counts. Other fields may hold anything.
/// InputError with what was found and expected if `json` is not an object; the caller adds the line
/// number. Memory stays within a small multiple of the size of the text, whatever its nesting.
std::vector<JsonField> parse_json_fields(std::string_view json, std::span<const std::string> names);

/// Throws an InputError such as "found an object in the field 'text'; expected a string".
[[noreturn]] void refuse_field(const JsonField& field, const std::string& name,
                               const std::string& expected);

}  // namespace elmo
