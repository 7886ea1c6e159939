// Tokens that the rules of a language find, and a view of them with their characters.
#pragma once

#include <unicode/uchar.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The kind of a token, as far as it affects where sentences end.
enum class TokenKind : std::uint8_t {
  word,
  number,
  sign,                ///< one punctuation mark or symbol, or a run of the same one
  abbreviation,        ///< includes its full stop; ends no sentence
  final_abbreviation,  ///< includes its full stop; may end a sentence
  ordinal,             ///< number including its full stop; ends no sentence
  address,             ///< URL, e-mail address or host name
  emoticon
};

/// A token and its kind, which decides whether a sentence may end at it.
struct RuleToken {
  TextRange range;
  TokenKind kind = TokenKind::word;
};

using RuleTokens = std::vector<RuleToken>;

/// The last tokens of a text, with their characters. Ignores invisible characters at the ends of
/// tokens.
class TokenView {
 public:
  TokenView(std::string_view text, std::span<const RuleToken> tokens)
      : text_(text), tokens_(tokens) {}

  std::size_t size() const { return tokens_.size(); }
  const RuleToken& operator[](std::size_t at) const { return tokens_[at]; }

  /// Returns the text of a token.
  std::string_view text(std::size_t at) const {
    const TextRange& range = tokens_[at].range;
    return text_.substr(range.begin, range.end - range.begin);
  }

  /// Returns the text from the beginning of a token to the end.
  std::string_view text_from(std::size_t at) const { return text_.substr(tokens_[at].range.begin); }

  /// Returns the text from the end of a token.
  std::string_view text_after(std::size_t at) const { return text_.substr(tokens_[at].range.end); }

  /// Returns the first visible character of a token.
  UChar32 first_character(std::size_t at) const {
    const TextRange& range = tokens_[at].range;
    UChar32 c = 0;
    for (std::size_t next = range.begin; next < range.end;) {
      c = next_code_point(text_, next);
      if (c < 0x80 || !is_invisible(c)) break;
    }
    return c;
  }

  /// Returns the last visible character of a token.
  UChar32 last_character(std::size_t at) const {
    const TextRange& range = tokens_[at].range;
    UChar32 c = 0;
    for (std::size_t end = range.end; end > range.begin;) {
      c = previous_code_point(text_, end);
      if (c < 0x80 || !is_invisible(c)) break;
    }
    return c;
  }

  /// True if white space is before a token.
  bool is_apart(std::size_t at) const {
    return at == 0 || tokens_[at].range.begin > tokens_[at - 1].range.end;
  }

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  std::string_view text_;
  std::span<const RuleToken> tokens_;
};

}  // namespace elmo
