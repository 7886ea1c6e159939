// Capital and small letters.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// `text` with its case folded (The Unicode Standard 15, section 3.13, toCasefold): two texts that
/// differ in capitals only become the same. Bytes that are no UTF-8 become U+FFFD. Any thread.
std::string fold_case(std::string_view text);

/// `text`, valid UTF-8, in lower case by Unicode's rules without any language's own. Any thread.
std::string lower_case(std::string_view text);

}  // namespace elmo
