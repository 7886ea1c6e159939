// Text as JSON spells it.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// In quotes, with what has to be escaped; bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace elmo
