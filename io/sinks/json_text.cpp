#include "io/sinks/json_text.h"

#include <nlohmann/json.hpp>

namespace elmo {

std::string json_text(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace elmo
