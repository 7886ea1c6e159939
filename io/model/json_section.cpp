#include "io/model/json_section.h"

#include <cmath>
#include <set>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr int kMaxDepth = 32;
constexpr double kMaxExactInteger = 0x1p53;

/// A value as JSON, short enough for a message.
std::string quoted(const Json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array() && value.size() > 8) {
    return "an array of " + std::to_string(value.size()) + " elements";
  }
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63U != 0) return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (std::trunc(number) != number || std::abs(number) > kMaxExactInteger) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

Json parse_json_object(std::string_view text, const std::string& name,
                       const std::string& expected) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto inspect = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) {
      throw InputError(name + ": nests deeper than " + std::to_string(kMaxDepth) +
                       " levels; expected " + expected);
    }
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InputError(name + ": the key " + quoted(value) + " is there twice; expected it once");
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, inspect);
  } catch (const Json::exception& error) {
    throw InputError(name + ": is not JSON (" + error.what() + "); expected " + expected);
  }
  if (json.is_object()) return json;
  throw InputError(name + ": holds " + quoted(json) + "; expected " + expected);
}

JsonSection::JsonSection(const Json& object, std::string file, std::string path)
    : object_(object), file_(std::move(file)), path_(std::move(path)) {}

const Json* JsonSection::find(const std::string& key) const {
  const auto place = object_.find(key);
  return place == object_.end() || place->is_null() ? nullptr : &*place;
}

JsonSection JsonSection::object(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_object()) refuse(key, value, "an object");
  return {*value, file_, path_ + key + "."};
}

std::string JsonSection::text(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_string()) refuse(key, value, "a string");
  return value->get<std::string>();
}

std::int64_t JsonSection::integer(const std::string& key) const {
  const Json* value = find(key);
  const std::optional<std::int64_t> number = value ? whole_number(*value) : std::nullopt;
  if (!number) refuse(key, value, "a whole number");
  return *number;
}

std::optional<std::int64_t> JsonSection::optional_integer(const std::string& key) const {
  if (find(key) == nullptr) return std::nullopt;
  return integer(key);
}

std::optional<float> JsonSection::optional_float(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) refuse(key, value, "a number, or null for none");
  return static_cast<float>(value->get<double>());
}

bool JsonSection::optional_flag(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  const std::optional<std::int64_t> number = whole_number(*value);
  if (!number || (*number != 0 && *number != 1)) refuse(key, value, "true or false");
  return *number == 1;
}

Activation JsonSection::activation(const std::string& key) const {
  const Json* value = find(key);
  if (value != nullptr && value->is_string()) {
    if (const auto found = kActivations.find(value->get<std::string>())) return *found;
  }
  refuse(key, value, "\"relu\" or \"tanh\"");
}

std::vector<CharFilter> JsonSection::filters(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr || !value->is_array()) {
    refuse(key, value, "an array of pairs [width, count] of whole numbers");
  }
  std::vector<CharFilter> filters;
  for (std::size_t i = 0; i < value->size(); ++i) {
    const Json& pair = (*value)[i];
    const bool is_pair = pair.is_array() && pair.size() == 2;
    const auto width = is_pair ? whole_number(pair[0]) : std::nullopt;
    const auto count = is_pair ? whole_number(pair[1]) : std::nullopt;
    if (!width || !count) {
      refuse(key + "[" + std::to_string(i) + "]", &pair, "[width, count] in whole numbers");
    }
    filters.push_back({*width, *count});
  }
  return filters;
}

void JsonSection::refuse(const std::string& key, const Json* found,
                         const std::string& expected) const {
  throw InputError(file_ + ": " + path_ + key + " is " + (found ? quoted(*found) : "missing") +
                   "; expected " + expected);
}

}  // namespace elmo
