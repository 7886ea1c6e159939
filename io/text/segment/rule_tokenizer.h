// Tokenizer that applies the rules of a language (token_rules.h).
#pragma once

#include <string>
#include <string_view>

#include "io/text/segment/chunk.h"
#include "io/text/segment/moses_tokens.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"
#include "io/text/segment/ud_tokens.h"

namespace elmo {

/// Splits text into tokens. White space and control characters separate chunks. ICU's dictionaries
/// segment Han, kana and the scripts of South-East Asia. A chunk's tokens depend only on the chunk,
/// the token before it and a few words after it. Token boundaries are never inside a grapheme
/// cluster. Takes linear time. One thread at a time.
class RuleTokenizer {
 public:
  /// `rules` must outlive this object; `locale` comes from canonical_locale().
  RuleTokenizer(const TokenRules& rules, const std::string& locale);
  RuleTokenizer(const RuleTokenizer&) = delete;
  RuleTokenizer& operator=(const RuleTokenizer&) = delete;

  /// Appends the tokens of `text`, valid UTF-8 of at most 1 GiB.
  void tokenize(std::string_view text, RuleTokens& tokens);

 private:
  const TokenRules& rules_;
  Chunk chunk_;
  UdTokens ud_;
  MosesTokens moses_;
};

}  // namespace elmo
