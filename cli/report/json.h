// JSON as commands print it.
#pragma once

#include <string>

#include "io/json/json.h"

namespace elmo {

/// Indented, with a line feed at the end; bytes that are no UTF-8 become U+FFFD.
inline std::string json_document(const Json& json) { return json.dump(2) + '\n'; }

}  // namespace elmo
