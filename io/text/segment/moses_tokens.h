// Tokens by the steps of the Moses tokenizer.
#pragma once

#include <cstddef>

#include "io/text/segment/chunk.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Finds the tokens of chunks: first splits off most signs, then commas, apostrophes and full
/// stops.
class MosesTokens {
 public:
  /// `rules` and `chunk` must outlive this object.
  MosesTokens(const TokenRules& rules, Chunk& chunk) : rules_(rules), chunk_(chunk) {}

  /// Appends the tokens of the chunk, which is decoded.
  void take(RuleTokens& tokens);

 private:
  bool is_in_word(std::size_t at) const;
  bool is_number(std::size_t at) const;
  bool is_alpha(std::size_t at) const;

  std::size_t take_word(std::size_t first, std::size_t last, RuleTokens& tokens);
  void add_word(std::size_t first, std::size_t last, RuleTokens& tokens);
  bool keeps_full_stop(std::size_t first, std::size_t last, char32_t next) const;

  const TokenRules& rules_;
  Chunk& chunk_;
};

}  // namespace elmo
