// The words of a chunk: addresses, where words end, how they are cut at contractions and clitics,
// and which keep the full stop after them.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/rule_tokens.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the position after the URL, e-mail address or host name that begins at `at`; otherwise
/// `at`.
std::size_t address_end(const Chunk& chunk, const TokenRules& rules, std::size_t at);

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

/// Returns the kind of the word [first, last) together with the full stop after it; `word` if the
/// full stop is a token of its own. `tokens` are those before the word.
TokenKind kind_with_full_stop(Chunk& chunk, const TokenRules& rules, const RuleTokens& tokens,
                              std::size_t first, std::size_t last);

/// The same for digits. `begins_item`: they begin a sentence or a line, so that they may number an
/// item.
TokenKind kind_of_number_with_full_stop(Chunk& chunk, const TokenRules& rules,
                                        const RuleTokens& tokens, std::size_t first,
                                        std::size_t last, bool begins_item);

/// True if [first, last) is a listed abbreviation without its full stop.
bool is_listed(const Chunk& chunk, const TokenRules& rules, std::size_t first, std::size_t last);

}  // namespace elmo
