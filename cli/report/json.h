// JSON output of commands.
#pragma once

#include <string>

#include "io/json/json.h"

namespace elmo {

/// Returns indented JSON that ends with a line feed. Invalid UTF-8 becomes U+FFFD.
inline std::string json_document(const Json& json) { return json.dump(2) + '\n'; }

}  // namespace elmo
