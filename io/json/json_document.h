// JSON that nobody vouches for, read so that every mistake is named with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "io/json/json.h"

namespace elmo {

/// The largest count that is read unless another one is named: far above what there will be, and
/// small enough for sums.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 62;

class JsonDocument;

/// A value of a document, or what is missing there. Every method that returns a value throws an
/// InputError with the document's name, the value's path, what was found and what was expected:
/// "options.json: lstm.dim is "a"; expected a whole number from 1 to 65536". Valid as long as the
/// document and the key that it was found by. Any thread.
class JsonNode {
 public:
  /// Whether it is there and not null.
  bool is_there() const;
  bool is_null() const;  ///< there, and null
  bool is_text() const;
  bool is_number() const;
  bool is_array() const;

  /// A member; where it is missing, a node that is not there. Of anything but an object: error.
  JsonNode operator[](std::string_view key) const;

  /// The members of an object and the elements of an array, in their order.
  std::vector<std::pair<std::string_view, JsonNode>> members() const;
  std::vector<JsonNode> elements(const std::string& expected = "an array") const;

  const std::string& text() const;
  std::vector<std::string> texts() const;  ///< of an array of strings
  std::vector<std::pair<std::string, std::string>> named_texts()
      const;  ///< of an object of strings

  /// A whole number in [least, most]. 3.0 is one.
  std::int64_t whole(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  std::uint64_t count(std::uint64_t most = kMaxCount) const;  ///< in [0, most]

  /// A number in [least, most], rounded to float where it is one.
  double number(double least = std::numeric_limits<double>::lowest(),
                double most = std::numeric_limits<double>::max()) const;
  float float_number(float least = std::numeric_limits<float>::lowest(),
                     float most = std::numeric_limits<float>::max()) const;

  bool flag() const;           ///< true or false
  const Json& object() const;  ///< an object as it is

  /// What one of the table's words means.
  template <typename Enum, std::size_t size>
  Enum choice(const EnumTable<Enum, size>& table) const {
    if (is_text()) {
      if (const std::optional<Enum> value = table.find(text())) return *value;
    }
    refuse("one of " + table.words());
  }

  /// Throws the error.
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  friend class JsonDocument;
  JsonNode(const JsonDocument& document, const Json* value) : document_(&document), value_(value) {}

  const JsonDocument* document_;
  const Json* value_;             // null: missing
  const Json* parent_ = nullptr;  // of one that is missing
  std::string_view key_;          // likewise
};

/// What a text of JSON holds. Arrays and objects of more than 32 levels are refused, and an object
/// that names a member twice.
class JsonDocument {
 public:
  /// InputError, beginning with `name` unless that is empty, where the text is no JSON. `expected`
  /// says what all of it should have been: "the settings of a tokenizer".
  JsonDocument(std::string_view text, std::string name, std::string expected);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  const std::string& name() const { return name_; }
  JsonNode root() const { return {*this, &json_}; }
  JsonNode operator[](std::string_view key) const { return root()[key]; }

 private:
  friend class JsonNode;

  std::string name_;
  std::string expected_;
  Json json_;
};

/// The value that a text of JSON holds, for what was written by this program.
Json parse_json(std::string_view text);

}  // namespace elmo
