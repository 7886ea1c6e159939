// JSON as models and runs keep it.
#pragma once

#include <nlohmann/json.hpp>

namespace elmo {

/// Members are in the order in which they were added or read.
using Json = nlohmann::ordered_json;

}  // namespace elmo
