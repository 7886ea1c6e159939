// Which words of a text are wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace elmo {

/// Which tokens: those in the list, and those that the expression matches as a whole.
struct TokenQuery {
  std::vector<std::string> words;
  std::string expression;    ///< ICU's regular expressions; empty: none
  bool ignore_case = false;  ///< full case folding (The Unicode Standard 15, section 3.13)
};

/// Words of a file, one a line, in UTF-8, decompressed where it begins like gzip, zstd, xz or
/// bzip2; blanks at the ends of a line are not part of a word, and empty lines are none.
/// InputError, naming the file, where it has none or cannot be opened, and naming the line for a
/// word that is too long.
std::vector<std::string> read_word_list(const std::string& path);

/// Answers a query for tokens, one at a time. What was answered is remembered, so that a word costs
/// its folding or matching once; memory is bounded. One thread.
class TokenMatcher {
 public:
  /// RequestError with the position for an expression that ICU rejects.
  explicit TokenMatcher(TokenQuery query);
  ~TokenMatcher();
  TokenMatcher(TokenMatcher&&) noexcept;
  TokenMatcher& operator=(TokenMatcher&&) noexcept;

  /// RequestError, naming token and expression, where matching takes more time or memory than any
  /// word needs: an expression like (a+)+b tries a number of ways that doubles with each letter.
  bool matches(std::string_view token);

 private:
  class Expression;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  bool look_up(std::string_view token);

  bool ignore_case_;
  std::unordered_set<std::string, Hash, std::equal_to<>> words_;  // folded where case is ignored
  std::unique_ptr<Expression> expression_;
  std::unordered_map<std::string, bool, Hash, std::equal_to<>> answers_;
  std::size_t answer_bytes_ = 0;
};

}  // namespace elmo
