// Text as XML spells it.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// `text`, which is UTF-8, as the content of an element. Control characters, U+FFFE and U+FFFF,
/// which XML cannot hold, become `\xHH` for each byte, as escaped_name() does with bytes that are
/// no UTF-8.
std::string xml_text(std::string_view text);

}  // namespace elmo
