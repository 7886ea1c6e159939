// Writing to a file descriptor.
#pragma once

#include <string_view>

namespace elmo {

/// Writes all of it, however many calls that takes. False, with errno set, where the system
/// refuses.
bool write_all(int descriptor, std::string_view text);

}  // namespace elmo
