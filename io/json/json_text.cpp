#include "io/json/json_text.h"

#include <nlohmann/json.hpp>

namespace elmo {
namespace {

std::string escaped(std::string_view text, bool ascii) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', ascii, json::error_handler_t::replace);
}

}  // namespace

std::string json_text(std::string_view text) { return escaped(text, false); }

std::string ascii_json_text(std::string_view text) { return escaped(text, true); }

}  // namespace elmo
