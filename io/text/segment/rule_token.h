// A token that the rules of a language find.
#pragma once

#include <cstdint>
#include <vector>

#include "io/text/segment/utf8.h"

namespace elmo {

/// The kind of a token, as far as it affects where sentences end.
enum class TokenKind : std::uint8_t {
  word,
  number,
  sign,                ///< one punctuation mark or symbol, or a run of the same one
  abbreviation,        ///< includes its full stop; ends no sentence
  final_abbreviation,  ///< includes its full stop; may end a sentence
  ordinal,             ///< number including its full stop; ends no sentence
  address,             ///< URL, e-mail address or host name
  emoticon
};

/// A token and its kind, which decides whether a sentence may end at it.
struct RuleToken {
  TextRange range;
  TokenKind kind = TokenKind::word;
};

using RuleTokens = std::vector<RuleToken>;

}  // namespace elmo
