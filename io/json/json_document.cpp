#include "io/json/json_document.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "io/foreign_content.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxLevels = 32;
constexpr double kMaxExactInteger = 0x1p53;

using Array = Json::Array;
using Object = Json::Object;

/// Builds a value from the events of the parser, which is not recursive.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override { return add(number); }
  bool number_float(number_float_t number, const string_t&) override { return add(number); }
  bool string(string_t& text) override { return add(std::move(text)); }
  bool binary(binary_t&) override { return refuse("holds bytes"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool end_object() override {
    std::vector<std::string_view> keys;
    for (const Json::Member& member : object()) keys.push_back(member.key);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys);
    if (twice == keys.end()) return close();
    return refuse("the key " + ascii_json_text(twice->substr(0, kLongestKey)) + " is there twice");
  }
  bool key(string_t& key) override {
    object().push_back({std::move(key), {}});
    return true;
  }
  // The library's message is dropped: it repeats the token, which may have any length.
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    return refuse("is not JSON at byte " + std::to_string(position));
  }

 private:
  static constexpr std::size_t kLongestKey = 60;

  Object& object() { return std::get<Object>(open_.back()->value()); }

  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  /// Puts a value at the current position.
  Json& put(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (Array* elements = std::get_if<Array>(&open_.back()->value())) {
      return elements->emplace_back(std::move(value));
    }
    return object().back().value = std::move(value);
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json empty) {
    if (open_.size() == kMaxLevels) {
      return refuse("nests deeper than " + std::to_string(kMaxLevels) + " levels");
    }
    open_.push_back(&put(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // nested arrays and objects; only the last one grows
  std::string problem_;
};

/// Formats a value for messages.
std::string shown(const Json& json) {
  constexpr std::size_t kLongest = 80;
  constexpr std::size_t kMaxElements = 8;
  const auto is_simple = [](const Json& value) {
    return !std::holds_alternative<Array>(value.value()) &&
           !std::holds_alternative<Object>(value.value());
  };
  std::string text;
  if (const auto* value = std::get_if<std::string>(&json.value())) {
    text = ascii_json_text(std::string_view(*value).substr(0, kLongest + 1));
  } else if (const auto* elements = std::get_if<Array>(&json.value())) {
    if (!std::ranges::all_of(*elements, is_simple)) return "an array";
    if (elements->size() > kMaxElements) {
      return "an array of " + std::to_string(elements->size()) + " elements";
    }
    for (const Json& element : *elements) text += (text.empty() ? "" : ",") + shown(element);
    text = "[" + text + "]";
  } else if (std::holds_alternative<Object>(json.value())) {
    return "an object";
  } else {
    text = json.dump();
  }
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

/// Appends the path from `from` to `wanted` to `path`; returns false if `wanted` is not in it.
bool find_path(const Json& from, const Json* wanted, std::string& path) {
  if (&from == wanted) return true;
  const std::size_t length = path.size();
  const auto is_in = [&](const std::string& step, const Json& value) {
    path += step;
    if (find_path(value, wanted, path)) return true;
    path.resize(length);
    return false;
  };
  if (const auto* elements = std::get_if<Array>(&from.value())) {
    for (std::size_t i = 0; i < elements->size(); ++i) {
      if (is_in('[' + std::to_string(i) + ']', (*elements)[i])) return true;
    }
  } else if (const auto* members = std::get_if<Object>(&from.value())) {
    for (const auto& [key, value] : *members) {
      if (is_in((length == 0 ? "" : ".") + key, value)) return true;
    }
  }
  return false;
}

std::optional<std::int64_t> whole_number(const Json* json) {
  if (json == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&json->value())) return *number;
  if (const auto* number = std::get_if<std::uint64_t>(&json->value())) {
    return *number >> 63U == 0 ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
  }
  const auto* number = std::get_if<double>(&json->value());
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) > kMaxExactInteger) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

std::optional<double> any_number(const Json* json) {
  if (json == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<double>(&json->value())) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&json->value())) {
    return static_cast<double>(*number);
  }
  const auto* number = std::get_if<std::uint64_t>(&json->value());
  return number == nullptr ? std::nullopt : std::optional(static_cast<double>(*number));
}

template <typename Number>
std::string range_text(const std::string& what, Number least, Number most) {
  const bool from = least > std::numeric_limits<Number>::lowest();
  const bool to = most < std::numeric_limits<Number>::max();
  return what + (from ? " from " + number_text(least) : "") +
         (to ? (from ? " to " : " of at most ") + number_text(most) : "");
}

}  // namespace

bool JsonNode::is_there() const { return value_ != nullptr && !is_null(); }

bool JsonNode::is_null() const {
  return value_ != nullptr && std::holds_alternative<std::nullptr_t>(value_->value());
}

bool JsonNode::is_text() const {
  return value_ != nullptr && std::holds_alternative<std::string>(value_->value());
}

bool JsonNode::is_number() const { return any_number(value_).has_value(); }

bool JsonNode::is_array() const {
  return value_ != nullptr && std::holds_alternative<Array>(value_->value());
}

JsonNode JsonNode::operator[](std::string_view key) const {
  const auto* object = value_ == nullptr ? nullptr : std::get_if<Object>(&value_->value());
  if (object == nullptr) refuse("an object");
  const auto found = std::ranges::find(*object, key, &Json::Member::key);
  if (found != object->end()) return {*document_, &found->value};
  JsonNode missing(*document_, nullptr);
  missing.parent_ = value_;
  missing.key_ = key;
  return missing;
}

std::vector<std::pair<std::string_view, JsonNode>> JsonNode::members() const {
  const auto* object = value_ == nullptr ? nullptr : std::get_if<Object>(&value_->value());
  if (object == nullptr) refuse("an object");
  std::vector<std::pair<std::string_view, JsonNode>> members;
  for (const auto& [key, value] : *object) members.emplace_back(key, JsonNode(*document_, &value));
  return members;
}

std::vector<JsonNode> JsonNode::elements(const std::string& expected) const {
  const auto* array = value_ == nullptr ? nullptr : std::get_if<Array>(&value_->value());
  if (array == nullptr) refuse(expected);
  std::vector<JsonNode> elements;
  for (const Json& value : *array) {
    elements.push_back({*document_, &value});
  }
  return elements;
}

const std::string& JsonNode::text() const {
  if (!is_text()) refuse("a string");
  return std::get<std::string>(value_->value());
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> texts;
  for (const JsonNode& element : elements("an array of strings")) texts.push_back(element.text());
  return texts;
}

std::vector<std::pair<std::string, std::string>> JsonNode::named_texts() const {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, value] : members()) texts.emplace_back(name, value.text());
  return texts;
}

std::int64_t JsonNode::whole(std::int64_t least, std::int64_t most) const {
  const std::optional<std::int64_t> number = whole_number(value_);
  if (!number || *number < least || *number > most) {
    refuse(range_text("a whole number", least, most));
  }
  return *number;
}

std::uint64_t JsonNode::count(std::uint64_t most) const {
  // Counts above 2^63 are whole numbers, too.
  const auto* large = value_ == nullptr ? nullptr : std::get_if<std::uint64_t>(&value_->value());
  const std::optional<std::int64_t> number = whole_number(value_);
  const bool fits = large != nullptr || number.value_or(-1) >= 0;
  const std::uint64_t count =
      large != nullptr ? *large : static_cast<std::uint64_t>(number.value_or(0));
  if (!fits || count > most) refuse("a whole number from 0 to " + std::to_string(most));
  return count;
}

double JsonNode::number(double least, double most) const {
  const std::optional<double> number = any_number(value_);
  if (!number || *number < least || *number > most) refuse(range_text("a number", least, most));
  return *number;
}

float JsonNode::float_number(float least, float most) const {
  const std::optional<double> number = any_number(value_);
  if (!number || *number < double{least} || *number > double{most}) {
    refuse(range_text("a number", least, most));
  }
  return static_cast<float>(*number);
}

bool JsonNode::flag() const {
  const auto* value = value_ == nullptr ? nullptr : std::get_if<bool>(&value_->value());
  if (value == nullptr) refuse("true or false");
  return *value;
}

const Json& JsonNode::object() const {
  members();
  return *value_;
}

void JsonNode::refuse(const std::string& expected) const {
  const std::string name = document_->name_.empty() ? "" : document_->name_ + ": ";
  if (value_ == &document_->json_) {
    throw InputError(name + "holds " + shown(*value_) + "; expected " + document_->expected_);
  }
  std::string path;
  find_path(document_->json_, value_ == nullptr ? parent_ : value_, path);
  if (value_ == nullptr) path += (path.empty() ? "" : ".") + std::string(key_);
  throw InputError(name + excerpt(path) + " is " +
                   (value_ == nullptr ? "missing" : shown(*value_)) + "; expected " + expected);
}

JsonDocument::JsonDocument(std::string_view text, std::string name, std::string expected)
    : name_(std::move(name)), expected_(std::move(expected)) {
  JsonBuilder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) {
    // A record in a line of a file has no name, and is no file.
    const std::string foreign = name_.empty() ? "" : foreign_content(text);
    if (!foreign.empty()) throw InputError(name_ + foreign + "; expected " + expected_);
    throw InputError((name_.empty() ? "" : name_ + ": ") + builder.problem() + "; expected " +
                     expected_);
  }
  json_ = builder.take();
}

Json parse_json(std::string_view text) {
  JsonBuilder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) throw InputError(builder.problem());
  return builder.take();
}

}  // namespace elmo
