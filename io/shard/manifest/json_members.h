// JSON that nobody vouches for, read member by member.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/json/json.h"
#include "io/json/shown_json.h"

namespace elmo {

/// The largest count that is read: far above what there will be, and small enough for sums.
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 62;

/// Reads the members of one object, which outlives it; for what is missing or of another kind it
/// throws an InputError that names it.
class Members {
 public:
  Members(const Json& json, std::string name) : json_(json), name_(std::move(name)) {
    if (!json.is_object()) throw InputError(name_ + " is not an object");
  }

  bool has(const std::string& key) const { return json_.contains(key); }
  const Json& at(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(name_ + " has no \"" + key + "\"");
    return *found;
  }
  std::uint64_t number(const std::string& key) const {
    if (!at(key).is_number_unsigned()) wrong(key, "a whole number");
    const auto number = at(key).get<std::uint64_t>();
    if (number > kMostCount) wrong(key, "a smaller number");
    return number;
  }
  /// A number that need not be there: 0 where it is not.
  std::uint64_t number_or_none(const std::string& key) const { return has(key) ? number(key) : 0; }
  bool truth(const std::string& key) const {
    if (!at(key).is_boolean()) wrong(key, "true or false");
    return at(key).get<bool>();
  }
  std::string text(const std::string& key) const {
    if (!at(key).is_string()) wrong(key, "a string");
    return at(key).get<std::string>();
  }
  const Json& array(const std::string& key) const {
    if (!at(key).is_array()) wrong(key, "an array");
    return at(key);
  }
  std::vector<std::pair<std::string, std::string>> texts(const std::string& key) const {
    if (!at(key).is_object()) wrong(key, "an object of strings");
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, value] : at(key).items()) {
      if (!value.is_string()) wrong(key, "an object of strings");
      pairs.emplace_back(name, value.get<std::string>());
    }
    return pairs;
  }

  [[noreturn]] void wrong(const std::string& key, const std::string& expected) const {
    throw InputError(name_ + ": \"" + key + "\" is " + shown_json(at(key)) + "; expected " +
                     expected);
  }

 private:
  const Json& json_;
  std::string name_;
};

}  // namespace elmo
