// Text escaped for XML.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// Escapes `text`, which is UTF-8, as the content of an element. XML cannot hold control
/// characters, U+FFFE and U+FFFF: each of their bytes becomes `\xHH`, as escaped_name() writes
/// invalid UTF-8.
std::string xml_text(std::string_view text);

}  // namespace elmo
