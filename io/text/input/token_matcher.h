// Selects words of a text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/text.h"

namespace elmo {

/// A query for tokens: those in the list, and those that the expression matches as a whole.
/// Canonically equivalent words are the same.
struct TokenQuery {
  std::vector<std::string> words;
  std::string expression;    ///< ICU regular expression; empty: none
  bool ignore_case = false;  ///< full case folding (The Unicode Standard 15, section 3.13)
};

/// Answers a query for one token at a time. Caches the answers, so that each word is folded or
/// matched only once; memory is bounded. One thread.
class TokenMatcher {
 public:
  /// RequestError with the position of the error if ICU rejects the expression.
  explicit TokenMatcher(const TokenQuery& query);

  /// True if the query selects the token. RequestError naming token and expression if matching
  /// takes more time or memory than any word should need: an expression like (a+)+b tries a number
  /// of ways that doubles with each letter.
  bool matches(std::string_view token);

 private:
  std::string form_of(std::string_view word) const;
  bool look_up(std::string_view token);

  bool ignore_case_;
  // Folded if case is ignored, otherwise in canonical form.
  std::unordered_set<std::string, TextHash<std::string>, std::equal_to<>> words_;
  std::function<bool(std::string_view)> expression_;  // copies share its memory
  TextMap<bool> answers_;
  std::size_t answer_bytes_ = 0;
};

}  // namespace elmo
