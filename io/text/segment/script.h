// The script of a word.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// Returns the ISO 15924 code ("Latn", "Hang") of the first character that has a script of its own.
/// Empty for a word without one, such as a number. The word must be valid UTF-8.
std::string script_of(std::string_view word);

}  // namespace elmo
