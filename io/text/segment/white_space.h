// White space as Unicode has it.
#pragma once

#include <string_view>

namespace elmo {

/// `text`, valid UTF-8 or not, without the white space (the property White_Space, and U+001C to
/// U+001F, which Python's str.strip() takes as well) at its two ends.
std::string_view without_outer_white_space(std::string_view text);

}  // namespace elmo
