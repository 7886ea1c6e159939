// tokenizer.json: how the text was cut into tokens that a model was trained on.
//
//     {"name": "icu", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "root"}
//
// The members mean what those of TokenizerDescription do; the last three are there where ICU
// segments only.
#pragma once

#include <string>
#include <string_view>

#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// Files of a tokenizer are no larger than this.
inline constexpr std::size_t kMaxTokenizerBytes = std::size_t{64} << 10;

/// InputError, beginning with `name`, with the member, what was found and what was expected.
TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name);

/// The text of a tokenizer.json; parse_tokenizer makes the same of it.
std::string tokenizer_text(const TokenizerDescription& description);

/// Every setting but ICU's version, whose rules change little from one to the next, in which a text
/// is read in another way than the one a model was trained on, as in "locale de instead of root,
/// rules 2 instead of 1"; empty where they agree.
std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used);

}  // namespace elmo
