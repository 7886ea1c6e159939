// JSON as commands print it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace elmo {

/// Keys in the order in which they were given.
using Json = nlohmann::ordered_json;

/// Indented, with a line feed at the end; bytes that are no UTF-8 become U+FFFD.
inline std::string json_document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace elmo
