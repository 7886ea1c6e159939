// The filters of a character CNN, as options.json and architectures list them.
#pragma once

#include <vector>

#include "core/model/options.h"
#include "io/json/json_document.h"

namespace elmo {

/// Of an array of pairs [width, count]. InputError as JsonNode.
std::vector<CharFilter> parse_char_filters(const JsonNode& node);

}  // namespace elmo
