// The tokens of a text, with their characters.
#pragma once

#include <unicode/uchar.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "io/text/segment/characters.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Tokens from one of a text to its last. Invisible characters at the ends of tokens do not count.
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
