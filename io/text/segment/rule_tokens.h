// Tokens that the rules of a language find, and the sentences that they form.
#pragma once

#include <unicode/uchar.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/segment/characters.h"
#include "io/text/segment/chunk.h"
#include "io/text/segment/token_rules.h"
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

/// True if the full stop `at` is part of a date that is written with blanks: 9. 10. 2013 or 2008.
/// 5. 3.
bool is_date_stop(const TokenView& tokens, std::size_t at);

/// True for a number from I to XXXIX in capitals: those of kings, centuries and chapters. Larger
/// ones look like abbreviations (CD, DC, MM).
constexpr bool is_roman_number(std::string_view word) {
  std::string_view rest = word;
  for (int tens = 0; tens < 3 && rest.starts_with('X'); ++tens) rest.remove_prefix(1);
  for (const std::string_view ones : {"IX", "IV", "VIII", "VII", "VI", "V", "III", "II", "I", ""}) {
    if (rest == ones) return !word.empty();
  }
  return false;
}

/// Splits text into tokens by the rules of a language. White space and control characters separate
/// chunks. ICU's dictionaries segment Han, kana and the scripts of South-East Asia. A chunk's
/// tokens depend only on the chunk, the token before it and a few words after it. Token boundaries
/// are never inside a grapheme cluster. Takes linear time. One thread at a time.
class RuleTokenizer {
 public:
  RuleTokenizer(const TokenRules& rules, const std::string& locale)
      : rules_(rules), chunk_(rules.dictionary, locale) {}
  RuleTokenizer(const RuleTokenizer&) = delete;
  RuleTokenizer& operator=(const RuleTokenizer&) = delete;
  virtual ~RuleTokenizer() = default;

  /// Appends the tokens of `text`, valid UTF-8 of at most 1 GiB.
  void tokenize(std::string_view text, RuleTokens& tokens);

 protected:
  /// Called when the text changes.
  virtual void begin_text() {}

  /// Appends the tokens of chunk_, which is decoded, to those of the text before it.
  virtual void take(RuleTokens& tokens) = 0;

  const TokenRules& rules_;
  Chunk chunk_;
};

/// Create tokenizers of both styles. `rules` must outlive them; `locale` comes from
/// canonical_locale().
std::unique_ptr<RuleTokenizer> make_ud_tokenizer(const TokenRules& rules,
                                                 const std::string& locale);
std::unique_ptr<RuleTokenizer> make_moses_tokenizer(const TokenRules& rules,
                                                    const std::string& locale);

/// Creates the tokenizer of the rules' style.
std::unique_ptr<RuleTokenizer> make_rule_tokenizer(const TokenRules& rules,
                                                   const std::string& locale);

/// Returns the number of tokens in the first sentence. `tokens` are all remaining tokens of `text`.
/// Follows UAX #29, section 5, on tokens, which are never split: a sentence ends after a terminator
/// and closing quotes or brackets if the next token can begin a sentence. Abbreviations, initials
/// and ordinals do not end a sentence; an emoticon may.
std::size_t first_sentence(std::string_view text, std::span<const RuleToken> tokens,
                           const TokenRules& rules);

}  // namespace elmo
