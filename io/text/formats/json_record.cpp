#include "io/text/formats/json_record.h"

#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

using JsonValue = nlohmann::json;

/// Steps through a text and tells how far it is.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** position) : at_(at), position_(position) {}

  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    *position_ = ++at_;
    return *this;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** position_;
};

/// Keeps two fields of the outermost object and nothing else.
class RecordHandler : public nlohmann::json_sax<JsonValue> {
 public:
  RecordHandler(std::string_view json, const std::string& text_field, const std::string& id_field)
      : json_(json), text_field_(text_field), id_field_(id_field) {}

  void parse() {
    const char* const end = json_.data() + json_.size();
    position_ = json_.data();
    JsonValue::sax_parse(TrackedIterator(position_, &position_), TrackedIterator(end, &position_),
                         this);
  }

  JsonRecord take() {
    if (!is_object_) throw InputError("found no JSON object; expected one object a line");
    if (!text_) throw InputError("found no field '" + text_field_ + "'; expected a string in it");
    return {std::move(*text_), std::move(id_), text_begin_, text_end_};
  }

  bool null() override {
    if (at_text()) text_.reset();
    if (at_id()) id_.reset();
    return true;
  }
  bool boolean(bool) override { return other("true or false"); }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override { return number(written); }
  bool string(string_t& value) override {
    if (at_id()) id_ = value;
    if (at_text()) {
      text_ = std::move(value);
      text_begin_ = json_.find('"', value_begin_) + 1;
      text_end_ = position() - 1;
    }
    return true;
  }
  bool binary(binary_t&) override { return other("bytes"); }

  bool start_object(std::size_t) override {
    if (depth_ == 0) is_object_ = true;
    if (!other("an object")) return false;
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    field_ = std::move(name);
    value_begin_ = position();
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override {
    if (!other("an array")) return false;
    ++depth_;
    return true;
  }
  bool end_array() override { return end(); }

  // The library's message is not passed on: it repeats the token, which may be of any length.
  bool parse_error(std::size_t position, const std::string&, const JsonValue::exception&) override {
    throw InputError("found no valid JSON at its byte " + std::to_string(position) +
                     "; expected one object a line");
  }

 private:
  bool at_text() const { return is_object_ && depth_ == 1 && field_ == text_field_; }
  bool at_id() const { return is_object_ && depth_ == 1 && field_ == id_field_; }

  bool number(const std::string& written) {
    if (at_id()) id_ = written;
    if (at_text()) reject("a number", text_field_, "a string");
    return true;
  }
  bool other(const char* found) {
    if (at_text()) reject(found, text_field_, "a string");
    if (at_id()) reject(found, id_field_, "a string or a number");
    return true;
  }
  [[noreturn]] static void reject(const char* found, const std::string& field,
                                  const char* expected) {
    throw InputError("found " + std::string(found) + " in the field '" + field + "'; expected " +
                     expected);
  }
  bool end() {
    --depth_;
    return true;
  }

  std::size_t position() const { return static_cast<std::size_t>(position_ - json_.data()); }

  std::string_view json_;
  const char* position_ = nullptr;  // behind what has been read
  const std::string& text_field_;
  const std::string& id_field_;
  std::string field_;
  std::size_t value_begin_ = 0;  // behind the field's name
  std::size_t depth_ = 0;
  bool is_object_ = false;
  std::optional<std::string> text_;
  std::optional<std::string> id_;
  std::size_t text_begin_ = 0;
  std::size_t text_end_ = 0;
};

/// The code unit of the escape \uXXXX at `position`, -1 if there is none.
int escaped_unit(std::string_view json, std::size_t position) {
  const std::string_view escape = json.substr(position, 6);
  if (escape.size() < 6 || !escape.starts_with("\\u")) return -1;
  int unit = 0;
  const char* end = escape.data() + escape.size();
  return std::from_chars(escape.data() + 2, end, unit, 16).ptr == end ? unit : -1;
}

bool is_high_surrogate(int unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low_surrogate(int unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

}  // namespace

JsonRecord parse_json_record(std::string_view json, const std::string& text_field,
                             const std::string& id_field) {
  RecordHandler handler(json, text_field, id_field);
  handler.parse();
  return handler.take();
}

std::string unescape_json(std::string_view written) {
  return JsonValue::parse('"' + std::string(written) + '"').get<std::string>();
}

std::size_t find_lone_surrogate(std::string_view json, std::size_t from) {
  std::size_t position = json.find('\\', from);
  while (position < json.size()) {
    const int unit = escaped_unit(json, position);
    std::size_t escape = 2;
    if (is_high_surrogate(unit) && is_low_surrogate(escaped_unit(json, position + 6))) {
      escape = 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      return position;
    }
    position = json.find('\\', position + escape);
  }
  return std::string_view::npos;
}

}  // namespace elmo
