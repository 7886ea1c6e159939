// Content that an input format probably reads wrongly.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/text/formats/format_reader.h"

namespace elmo {

/// A kind of content, and how a note names the file that holds it.
struct OddContent {
  Oddity oddity;
  std::string file;
};

/// Returns what the file `path`, which begins with `head`, probably holds, if `format` is not made
/// for it. Looks at names only for what cannot be seen at the beginning. Other encodings than UTF-8
/// are not its concern.
std::optional<OddContent> odd_content(std::string_view head, const std::string& path,
                                      InputFormat format);

}  // namespace elmo
