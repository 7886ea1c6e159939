// The JSON of a model's options, read so that every mistake is named with its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "io/json/json.h"

namespace elmo {

/// Parses an object. InputError, beginning with `name`, where the text is no JSON, nests deeply,
/// repeats a key or is no object; `expected` says what it should have been.
Json parse_json_object(std::string_view text, const std::string& name, const std::string& expected);

/// One object of a file, and where it is, for messages: every method but find() throws InputError
/// with the file, the key, what was found and what was expected. Of two numbers that JSON tells
/// apart, 3 and 3.0, both are whole.
class JsonSection {
 public:
  /// `object` has to outlive the section. `path` stands before its keys in messages: "lstm.".
  JsonSection(const Json& object, std::string file, std::string path);

  /// The value of a key; nothing where it is absent or null.
  const Json* find(const std::string& key) const;
  bool has(const std::string& key) const { return object_.contains(key); }  ///< also null

  JsonSection object(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  std::optional<std::int64_t> optional_integer(const std::string& key) const;
  std::optional<float> optional_float(const std::string& key) const;
  bool optional_flag(const std::string& key) const;  ///< false where absent
  Activation activation(const std::string& key) const;
  std::vector<CharFilter> filters(const std::string& key) const;  ///< pairs [width, count]

  /// Throws. `found`: null where the key is absent or null.
  [[noreturn]] void refuse(const std::string& key, const Json* found,
                           const std::string& expected) const;

 private:
  const Json& object_;
  std::string file_;
  std::string path_;
};

}  // namespace elmo
