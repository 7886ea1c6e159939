// Tokens by the rules of Universal Dependencies.
#pragma once

#include <cstddef>
#include <string>

#include "io/text/segment/addresses.h"
#include "io/text/segment/chunk.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"
#include "io/text/segment/word_cutter.h"

namespace elmo {

/// Finds the tokens of chunks: addresses and emoticons first, then words, numbers and signs; words
/// are then cut at contractions and clitics. One thread at a time.
class UdTokens {
 public:
  /// `rules` and `chunk` must outlive this object; `locale` comes from canonical_locale().
  UdTokens(const TokenRules& rules, const std::string& locale, Chunk& chunk);

  /// Appends the tokens of the chunk, which is decoded, to the tokens of the text before it.
  void take(RuleTokens& tokens);

 private:
  // Each adds the tokens that begin at position `at` and returns the position after them.
  std::size_t take_word(std::size_t first, std::size_t at, RuleTokens& tokens);
  std::size_t take_dictionary_words(std::size_t at, RuleTokens& tokens);
  std::size_t take_sign(std::size_t at, RuleTokens& tokens);

  std::size_t take_with_full_stop(std::size_t first, std::size_t at, std::size_t end,
                                  RuleTokens& tokens);
  bool ends_with_sign(std::size_t first, std::size_t end) const;
  std::size_t run_end(std::size_t at) const;
  std::size_t elision_end(std::size_t first, std::size_t last) const;
  bool begins_item(std::size_t at, const RuleTokens& tokens) const;
  void add_number(std::size_t first, std::size_t last, RuleTokens& tokens);
  bool is_next_group(std::size_t last, const RuleTokens& tokens) const;

  const TokenRules& rules_;
  Chunk& chunk_;
  Boundaries words_;
  EmoticonFinder emoticons_;
  WordCutter cutter_;
  WordPatterns::Cuts cuts_;
};

}  // namespace elmo
