// The meaning of a full stop after a word: an abbreviation, an initial, an ordinal, or none of
// these.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the kind of the word [first, last) together with the full stop after it; `word` if the
/// full stop is a token of its own. `tokens` are those before the word.
TokenKind kind_with_full_stop(Chunk& chunk, const TokenRules& rules, const RuleTokens& tokens,
                              std::size_t first, std::size_t last);

/// True if [first, last) is a listed abbreviation without its full stop.
bool is_listed(const Chunk& chunk, const TokenRules& rules, std::size_t first, std::size_t last);

/// The same for digits. `begins_item`: they begin a sentence or a line, so that they may number an
/// item.
TokenKind kind_of_number_with_full_stop(Chunk& chunk, const TokenRules& rules,
                                        const RuleTokens& tokens, std::size_t first,
                                        std::size_t last, bool begins_item);

}  // namespace elmo
