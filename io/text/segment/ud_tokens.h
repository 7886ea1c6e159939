// Tokens by the rules of Universal Dependencies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/text/segment/addresses.h"
#include "io/text/segment/chunk.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"
#include "io/text/segment/word_cuts.h"
#include "io/text/segment/word_cutter.h"

namespace elmo {

/// Finds the tokens of chunks: addresses and emoticons first, then words, numbers and signs; words
/// are then cut at contractions and clitics. One thread at a time.
class UdTokens {
 public:
  /// `rules` and `chunk` must outlive this object; `locale` comes from canonical_locale().
  UdTokens(const TokenRules& rules, const std::string& locale, Chunk& chunk);

  /// Must be called when the text changes.
  void begin_text() { spaced_end_ = 0; }

  /// Appends the tokens of the chunk, which is decoded, to those of the text before it.
  void take(RuleTokens& tokens);

 private:
  // Each adds the tokens that begin at position `at` and returns the position after them.
  std::size_t take_word(std::size_t first, std::size_t at, RuleTokens& tokens);
  std::size_t take_dictionary_words(std::size_t at, RuleTokens& tokens);
  std::size_t take_sign(std::size_t at, RuleTokens& tokens);

  TokenKind kind_with_parts(std::size_t first, std::size_t end, const RuleTokens& tokens);
  std::size_t unit_begin(std::size_t first, std::size_t last) const;
  std::size_t signs_end(std::size_t first, std::size_t end);
  bool is_kept(std::size_t first, std::size_t end, WordPatterns::Match part);
  void find_dictionary_words(std::size_t at);
  bool keeps_full_stop(std::size_t first, std::size_t end, const RuleTokens& tokens) const;
  bool continues_abbreviation(std::size_t at, const RuleTokens& tokens) const;
  void add_full_stop(std::size_t word, std::size_t end, RuleTokens& tokens);
  std::size_t take_with_full_stop(std::size_t first, std::size_t at, std::size_t end,
                                  RuleTokens& tokens);
  bool ends_with_sign(std::size_t first, std::size_t end);
  std::size_t run_end(std::size_t at) const;
  std::size_t elision_end(std::size_t first, std::size_t last) const;
  bool begins_item(std::size_t at, const RuleTokens& tokens) const;
  void add_number_or_word(std::size_t first, std::size_t last, RuleTokens& tokens);
  void add_number(std::size_t first, std::size_t last, RuleTokens& tokens);
  std::size_t listed_unit(std::size_t first, std::size_t last) const;
  bool is_next_group(std::size_t last, const RuleTokens& tokens) const;

  const TokenRules& rules_;
  Chunk& chunk_;
  Boundaries words_;
  EmoticonFinder emoticons_;
  WordCutter cutter_;
  WordPatterns::Cuts cuts_;
  std::u32string run_;             // of characters in dictionaries
  std::vector<std::size_t> ends_;  // of its words

  // The spaced abbreviation that was found last: where it ends in the text, and its kind.
  std::size_t spaced_end_ = 0;
  TokenKind spaced_kind_ = TokenKind::abbreviation;
};

}  // namespace elmo
