// What script a word is written in.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// The script of the first character that has one of its own, as ISO 15924 calls it ("Latn",
/// "Hang"); empty for a word that has none, such as a number. The word is valid UTF-8.
std::string script_of(std::string_view word);

}  // namespace elmo
