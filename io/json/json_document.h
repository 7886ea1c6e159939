// Untrusted JSON, read with errors that name the path of each mistake.
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

/// The largest count accepted by default: far above any real count, and small enough that sums of
/// counts do not overflow.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 62;

/// White space between the values of JSON (RFC 8259, section 2).
inline constexpr std::string_view kJsonBlanks = " \t\r\n";

/// Follows JSON byte by byte through strings and brackets, without checking it.
class JsonNesting {
 public:
  void take(char byte) {
    if (in_string_) {
      in_string_ = byte != '"' || escaped_;
      escaped_ = byte == '\\' && !escaped_;
    } else if (byte == '"') {
      in_string_ = true;
    } else if (byte == '{' || byte == '[') {
      ++depth_;
    } else if (byte == '}' || byte == ']') {
      --depth_;
    }
  }

  /// True inside of a string, an array or an object.
  bool is_open() const { return in_string_ || depth_ > 0; }

 private:
  std::int64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

class JsonDocument;

/// A value of a document, or a missing one. Every method that returns a value throws an InputError
/// with the document's name, the value's path, what was found and what was expected: "options.json:
/// lstm.dim is "a"; expected a whole number from 1 to 65536". Valid as long as the document and the
/// key that found it. Any thread.
class JsonNode {
 public:
  /// True if the value exists and is not null.
  bool is_there() const;
  bool is_null() const;  ///< exists and is null
  bool is_text() const;
  bool is_number() const;
  bool is_array() const;

  /// Returns a member, or a missing node if no member has that key. InputError if this is not an
  /// object.
  JsonNode operator[](std::string_view key) const;

  /// Returns the members of an object, or the elements of an array, in order.
  std::vector<std::pair<std::string_view, JsonNode>> members() const;
  std::vector<JsonNode> elements(const std::string& expected = "an array") const;

  const std::string& text() const;
  std::vector<std::string> texts() const;                                ///< an array of strings
  std::vector<std::pair<std::string, std::string>> named_texts() const;  ///< an object of strings

  /// A whole number in [least, most]; 3.0 counts as one.
  std::int64_t whole(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  std::uint64_t count(std::uint64_t most = kMaxCount) const;  ///< at most `most`

  /// A number in [least, most]; float_number rounds it to float.
  double number(double least = std::numeric_limits<double>::lowest(),
                double most = std::numeric_limits<double>::max()) const;
  float float_number(float least = std::numeric_limits<float>::lowest(),
                     float most = std::numeric_limits<float>::max()) const;

  bool flag() const;           ///< true or false
  const Json& object() const;  ///< an object, unchanged

  /// Returns the value that this word has in `table`.
  template <typename Enum, std::size_t size>
  Enum choice(const EnumTable<Enum, size>& table) const {
    if (is_text()) {
      if (const std::optional<Enum> value = table.find(text())) return *value;
    }
    refuse("one of " + table.words());
  }

  /// Throws the InputError.
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  friend class JsonDocument;
  JsonNode(const JsonDocument& document, const Json* value) : document_(&document), value_(value) {}

  const JsonDocument* document_;
  const Json* value_;             // null: missing
  const Json* parent_ = nullptr;  // parent of a missing value
  std::string_view key_;          // key of a missing value
};

/// Parses a JSON text. Refuses arrays and objects nested more than 32 levels deep, and objects that
/// name a member twice.
class JsonDocument {
 public:
  /// InputError if the text is not JSON; the message begins with `name` unless that is empty.
  /// `expected` describes the whole document: "the settings of a tokenizer".
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

/// Parses JSON text that this program wrote.
Json parse_json(std::string_view text);

}  // namespace elmo
