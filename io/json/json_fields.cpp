#include "io/json/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

using JsonValue = nlohmann::json;

/// Keeps the requested fields of the outermost object and nothing else.
class FieldHandler : public nlohmann::json_sax<JsonValue> {
 public:
  FieldHandler(std::string_view json, std::span<const std::string> names)
      : json_(json), names_(names), fields_(names.size()) {}

  std::vector<JsonField> parse() {
    JsonValue::sax_parse(json_.begin(), json_.end(), this);
    if (!is_object_) throw InputError("found no JSON object; expected one object a line");
    return std::move(fields_);
  }

  bool null() override {
    if (at_field()) field_->found = "null";
    return in_element() ? other("null in a list") : true;
  }
  bool boolean(bool) override { return other("true or false"); }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override { return number(written); }
  bool string(string_t& value) override {
    return add(JsonField::Kind::text, "a string", std::move(value));
  }
  bool binary(binary_t&) override { return other("bytes"); }

  bool start_object(std::size_t) override {
    if (depth_ == 0) is_object_ = true;
    other("an object");
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    const auto found = std::ranges::find(names_, name);
    field_ = found == names_.end() ? nullptr
                                   : &fields_[static_cast<std::size_t>(found - names_.begin())];
    if (field_ != nullptr) *field_ = {};
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override {
    if (at_field()) {
      field_->kind = JsonField::Kind::list;
      field_->found = "a list";
    } else if (in_list() && field_->list.empty()) {
      field_->kind = JsonField::Kind::lists;
      field_->found = "a list in a list";
    } else if (!in_lists()) {
      other(in_list() ? "a list beside strings" : "a list in a list of lists");
    }
    ++depth_;
    return true;
  }
  bool end_array() override {
    end();
    if (in_lists()) field_->list_ends.push_back(field_->list.size());
    return true;
  }

  // The library's message is dropped: it repeats the token, which may have any length.
  bool parse_error(std::size_t position, const std::string&, const JsonValue::exception&) override {
    throw InputError("found no valid JSON at its byte " + std::to_string(position) +
                     "; expected one object a line");
  }

 private:
  /// True if the next value belongs to a requested field: its value, an element of its list, a list
  /// of its lists, or an element of such a list.
  bool at_field() const { return is_object_ && field_ != nullptr && depth_ == 1; }
  bool in_list() const { return is_in(2, JsonField::Kind::list); }
  bool in_lists() const { return is_in(2, JsonField::Kind::lists); }
  bool in_inner_list() const { return is_in(3, JsonField::Kind::lists); }
  bool is_in(std::size_t depth, JsonField::Kind kind) const {
    return is_object_ && field_ != nullptr && depth_ == depth && field_->kind == kind;
  }
  bool in_element() const { return in_list() || in_lists() || in_inner_list(); }

  bool add(JsonField::Kind kind, const char* found, std::string value) {
    if (at_field()) {
      field_->kind = kind;
      field_->found = found;
      field_->text = std::move(value);
    } else if (in_list() || in_inner_list()) {
      field_->list.push_back(std::move(value));
    } else if (in_lists()) {
      other("a string beside lists");
    }
    return true;
  }
  bool number(std::string written) {
    return add(JsonField::Kind::number, "a number", std::move(written));
  }
  bool other(const char* found) {
    if (at_field() || in_element()) {
      field_->kind = JsonField::Kind::other;
      field_->found = found;
    }
    return true;
  }
  bool end() {
    --depth_;
    return true;
  }

  std::string_view json_;
  std::span<const std::string> names_;
  std::vector<JsonField> fields_;
  JsonField* field_ = nullptr;  // the field that receives the next values
  std::size_t depth_ = 0;
  bool is_object_ = false;
};

}  // namespace

std::vector<JsonField> parse_json_fields(std::string_view json,
                                         std::span<const std::string> names) {
  return FieldHandler(json, names).parse();
}

void refuse_field(const JsonField& field, const std::string& name, const std::string& expected) {
  const bool absent = std::string_view(field.found) == "no";
  throw InputError("found " + std::string(field.found) + (absent ? " field '" : " in the field '") +
                   name + "'; expected " + expected + (absent ? " in it" : ""));
}

}  // namespace elmo
