// Sentences of a text whose tokens are known.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "io/text/segment/rule_tokenizer.h"

namespace elmo {

/// The number of tokens in the first sentence of `tokens`, which are all tokens of `text` from
/// there on. Follows UAX #29, section 5, on tokens, which are never divided: a sentence ends behind
/// a terminator and closing quotes or brackets, where what follows can begin one. Abbreviations,
/// initials and ordinals end no sentence; an emoticon may. Any thread.
std::size_t sentence_size(std::string_view text, std::span<const RuleToken> tokens,
                          const TokenRules& rules);

}  // namespace elmo
