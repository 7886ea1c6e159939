// Lower case.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// `text`, valid UTF-8, in lower case by Unicode's rules without any language's own. Any thread.
std::string lower_case(std::string_view text);

}  // namespace elmo
