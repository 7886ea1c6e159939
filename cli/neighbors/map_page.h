// The map of a word as a page.
#pragma once

#include <string>
#include <string_view>

#include "io/engine/neighbors/map.h"

namespace elmo {

/// map.html, which the build makes part of the program.
extern const std::string_view kMapTemplate;

/// Returns a self-contained page of HTML that loads nothing. Its data are JSON: columns of the
/// points, and names of documents and labels. Any text is shown as text. Characters that control a
/// terminal or the order of letters, and code points that are no characters, are shown as U+FFFD.
std::string map_page(const WordMap& map);

}  // namespace elmo
