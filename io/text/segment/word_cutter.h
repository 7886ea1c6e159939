// Where words end, and how they are cut at contractions and clitics.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the position after the word that begins at `at`, including parts that signs join to it;
/// `at` if there is no letter or digit.
std::size_t word_end(const Chunk& chunk, const TokenRules& rules, std::size_t at);

/// Adds the parts of words, by the patterns `split` and `keep` of a language and by its rule for
/// apostrophes.
class WordCutter {
 public:
  /// `rules` must outlive this object.
  explicit WordCutter(const TokenRules& rules) : rules_(rules) {}

  /// Adds the parts of the word [first, last).
  void add(const Chunk& chunk, std::size_t first, std::size_t last, RuleTokens& tokens);

 private:
  void add_cut_at_apostrophe(const Chunk& chunk, std::size_t first, std::size_t last,
                             RuleTokens& tokens);

  const TokenRules& rules_;
  WordPatterns::Cuts cuts_;
};

/// Adds the characters [first, last) as one token.
inline void add_token(const Chunk& chunk, std::size_t first, std::size_t last, TokenKind kind,
                      RuleTokens& tokens) {
  tokens.push_back({{chunk.offset(first), chunk.offset(last)}, kind});
}

}  // namespace elmo
