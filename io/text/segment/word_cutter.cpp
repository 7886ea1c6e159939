#include "io/text/segment/word_cutter.h"

#include <cstdint>
#include <string_view>

namespace elmo {

void WordCutter::add(const Chunk& chunk, std::size_t first, std::size_t last, RuleTokens& tokens) {
  using Match = WordPatterns::Match;
  while (last - first <= WordPatterns::kMaxCharacters) {
    const std::u32string_view word = chunk.folded(first, last);
    if (rules_.keep.match(word, cuts_) != Match::none) break;
    const Match match = rules_.split.match(word, cuts_);
    if (match == Match::none) return add_cut_at_apostrophe(chunk, first, last, tokens);
    if (match == Match::end) {
      const std::size_t cut = first + cuts_[0];
      add(chunk, first, cut, tokens);
      return add_token(chunk, cut, last, TokenKind::word, tokens);
    }
    const std::size_t begin = first;
    for (const std::uint8_t cut : cuts_) {
      add_token(chunk, first, begin + cut, TokenKind::word, tokens);
      first = begin + cut;
    }
    if (match == Match::whole) break;
  }
  add_token(chunk, first, last, TokenKind::word, tokens);
}

/// Adds a word that no pattern matches.
void WordCutter::add_cut_at_apostrophe(const Chunk& chunk, std::size_t first, std::size_t last,
                                       RuleTokens& tokens) {
  if (rules_.apostrophe != Apostrophe::keep) {
    for (std::size_t at = first + 1; at + 1 < last; ++at) {
      if (!chunk.is_apostrophe(at) || !chunk.is_letter(at - 1) || !chunk.is_letter(at + 1)) {
        continue;
      }
      const std::size_t before = rules_.apostrophe == Apostrophe::left ? at + 1 : at;
      const std::size_t behind = rules_.apostrophe == Apostrophe::right ? at : at + 1;
      add_token(chunk, first, before, TokenKind::word, tokens);
      if (before < behind) add_token(chunk, before, behind, TokenKind::sign, tokens);
      return add(chunk, behind, last, tokens);
    }
  }
  add_token(chunk, first, last, TokenKind::word, tokens);
}

}  // namespace elmo
