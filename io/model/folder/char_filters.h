// Parses the filters of a character CNN in options.json and architecture files.
#pragma once

#include <vector>

#include "core/model/options.h"
#include "io/json/json_document.h"

namespace elmo {

/// Parses an array of pairs [width, count]. InputError as JsonNode.
std::vector<CharFilter> parse_char_filters(const JsonNode& node);

}  // namespace elmo
