#include "io/text/segment/rule_tokenizer.h"

namespace elmo {

RuleTokenizer::RuleTokenizer(const TokenRules& rules, const std::string& locale)
    : rules_(rules),
      chunk_(rules.dictionary, locale),
      ud_(rules, locale, chunk_),
      moses_(rules, chunk_) {}

void RuleTokenizer::tokenize(std::string_view text, RuleTokens& tokens) {
  chunk_.set_text(text);
  ud_.begin_text();
  while (chunk_.next()) {
    if (chunk_.letters_only() && rules_.split.need_signs()) {
      tokens.push_back({chunk_.range(), TokenKind::word});
      continue;
    }
    chunk_.decode();
    if (rules_.style == TokenStyle::moses) {
      moses_.take(tokens);
    } else {
      ud_.take(tokens);
    }
  }
}

}  // namespace elmo
