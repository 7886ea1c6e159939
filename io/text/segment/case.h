// Upper and lower case.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// Returns `text` with its case folded (The Unicode Standard 15, section 3.13, toCasefold): texts
/// that differ only in case become equal. Invalid UTF-8 becomes U+FFFD. Any thread.
std::string fold_case(std::string_view text);

/// Returns `text`, valid UTF-8, in lower case by Unicode's language-independent rules. Any thread.
std::string lower_case(std::string_view text);

}  // namespace elmo
