// The version of this tool, set in CMakeLists.txt.
#pragma once

#include <string_view>

namespace elmo {

/// Major.minor.patch, for example "0.2.0".
std::string_view version();

}  // namespace elmo
