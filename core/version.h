// The version of this tool, set in CMakeLists.txt.
#pragma once

#include <string_view>

namespace elmo {

/// The first version whose results equal this one's: the activations of a model, up to rounding,
/// and the steps of a training. A change of results raises it to the version that brings the
/// change.
inline constexpr std::string_view kResultsSince = "0.8.0";

/// Major.minor.patch, for example "0.2.0".
std::string_view version();

/// Returns true if this version continues what the version `other` began: `other` lies between
/// kResultsSince and version(). False for a text that is no version.
bool continues_version(std::string_view other);

}  // namespace elmo
