// Sentence ends in a tokenized text.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the number of tokens in the first sentence. `tokens` are all remaining tokens of `text`.
/// Follows UAX #29, section 5, on tokens, which are never split: a sentence ends after a terminator
/// and closing quotes or brackets if the next token can begin a sentence. Abbreviations, initials
/// and ordinals do not end a sentence; an emoticon may.
std::size_t first_sentence(std::string_view text, std::span<const RuleToken> tokens,
                           const TokenRules& rules);

}  // namespace elmo
