#include "io/labelled/common/json_fields.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

using JsonValue = nlohmann::json;

/// Keeps some fields of the outermost object and nothing else.
class FieldHandler : public nlohmann::json_sax<JsonValue> {
 public:
  explicit FieldHandler(std::span<const std::string> names)
      : names_(names), fields_(names.size()) {}

  std::vector<JsonField> take() {
    if (!is_object_) throw InputError("found no JSON object; expected one object a line");
    return std::move(fields_);
  }

  bool null() override { return in_list() ? reject("null") : true; }
  bool boolean(bool) override { return wanted() ? reject("true or false") : true; }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override { return add(written); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return wanted() ? reject("bytes") : true; }

  bool start_object(std::size_t) override {
    if (wanted()) return reject("an object");
    if (depth_++ == 0) is_object_ = true;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    const auto place = std::ranges::find(names_, name);
    field_ = place == names_.end() ? nullptr : &fields_[index_of(place)];
    if (field_ != nullptr) *field_ = {};
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override {
    if (in_list()) return reject("a list in a list");
    if (wanted()) field_->kind = JsonField::Kind::list;
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
  std::size_t index_of(std::span<const std::string>::iterator place) const {
    return static_cast<std::size_t>(place - names_.begin());
  }
  /// Whether a value that comes now is one that is asked for, or part of one.
  bool wanted() const { return is_object_ && field_ != nullptr && (depth_ == 1 || in_list()); }
  bool in_list() const {
    return is_object_ && field_ != nullptr && depth_ == 2 && field_->kind == JsonField::Kind::list;
  }

  bool add(std::string value) {
    if (!wanted()) return true;
    if (in_list()) {
      field_->list.push_back(std::move(value));
    } else {
      field_->kind = JsonField::Kind::text;
      field_->text = std::move(value);
    }
    return true;
  }
  [[noreturn]] bool reject(const char* found) const {
    const std::string& name = names_[static_cast<std::size_t>(field_ - fields_.data())];
    throw InputError("found " + std::string(found) + " in the field '" + name +
                     "'; expected a string or a list of strings");
  }
  bool end() {
    --depth_;
    return true;
  }

  std::span<const std::string> names_;
  std::vector<JsonField> fields_;
  JsonField* field_ = nullptr;  // where values go now
  std::size_t depth_ = 0;
  bool is_object_ = false;
};

}  // namespace

std::vector<JsonField> parse_json_fields(std::string_view json,
                                         std::span<const std::string> names) {
  FieldHandler handler(names);
  JsonValue::sax_parse(json, &handler);
  return handler.take();
}

}  // namespace elmo
