#include "io/text/segment/sentence_ends.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>

#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// How a token may end a sentence. This limits the tokens that can begin the next one.
enum class Ending {
  none,         ///< does not end a sentence
  full_stop,    ///< the next sentence may begin with anything except a small letter
  exclamation,  ///< or a question mark; the next sentence may begin with anything
  wide,         ///< an East Asian terminator; the same, even without white space
  capital       ///< the next sentence must begin with a capital
};

/// The ends of the sentences of a tokenized text.
class SentenceEnds {
 public:
  /// `tokens` are all remaining tokens of `text`.
  SentenceEnds(std::string_view text, std::span<const RuleToken> tokens, const TokenRules& rules)
      : text_(text), tokens_(tokens), rules_(rules) {}

  /// The number of tokens in the first sentence.
  std::size_t first() const {
    for (std::size_t at = 0; at < tokens_.size();) {
      const Ending ending = ending_of(at);
      ++at;
      if (ending == Ending::none) continue;
      const std::size_t closers = at;
      at = behind_closers(at, ending);
      if (at == tokens_.size() || may_begin(at, ending, has_quote(closers, at))) return at;
    }
    return tokens_.size();
  }

 private:
  std::string_view bytes(std::size_t at) const {
    const TextRange& range = tokens_[at].range;
    return text_.substr(range.begin, range.end - range.begin);
  }

  UChar32 first_character(std::size_t at) const {
    std::size_t next = tokens_[at].range.begin;
    return next_code_point(text_, next);
  }

  UChar32 last_character(std::size_t at) const {
    std::size_t end = tokens_[at].range.end;
    return previous_code_point(text_, end);
  }

  static int32_t sentence_class(UChar32 c) {
    return u_getIntPropertyValue(c, UCHAR_SENTENCE_BREAK);
  }

  /// True if white space is before a token.
  bool is_apart(std::size_t at) const {
    return at == 0 || tokens_[at].range.begin > tokens_[at - 1].range.end;
  }

  Ending ending_of(std::size_t at) const {
    switch (tokens_[at].kind) {
      case TokenKind::final_abbreviation:
      case TokenKind::emoticon:
        return Ending::capital;
      case TokenKind::word:
        return has_final_ending(at) ? Ending::full_stop : Ending::none;
      case TokenKind::sign:
        break;
      default:
        return Ending::none;
    }
    const UChar32 last = last_character(at);
    constexpr UChar32 kEllipsis = 0x2026;
    constexpr UChar32 kFirstWide = 0x2E80;
    const char32_t folded = fold_character(static_cast<char32_t>(last));
    if (rules_.final_before_capital.contains(folded)) return Ending::capital;
    switch (sentence_class(last)) {
      case U_SB_ATERM:
        // The number of a list item does not end a sentence.
        return at == 1 && tokens_[0].kind == TokenKind::number ? Ending::none : Ending::full_stop;
      case U_SB_STERM:
        return last >= kFirstWide ? Ending::wide : Ending::exclamation;
      default:
        return last == kEllipsis ? Ending::full_stop : Ending::none;
    }
  }

  bool has_final_ending(std::size_t at) const {
    if (rules_.final_endings.empty()) return false;
    const std::string_view word = bytes(at);
    return at + 1 < tokens_.size() && is_apart(at + 1) && tokens_[at + 1].kind != TokenKind::sign &&
           std::ranges::any_of(rules_.final_endings, [&word](const std::string& ending) {
             return word.ends_with(ending) && word.size() > ending.size();
           });
  }

  /// True if a token is a quotation mark or a bracket.
  bool is_bracket_or_quote(std::size_t at) const {
    return tokens_[at].kind == TokenKind::sign && sentence_class(first_character(at)) == U_SB_CLOSE;
  }

  /// True if a token can close a sentence with this ending. Signs of the category Pi close in some
  /// languages, but not after a wide full stop.
  bool is_close(std::size_t at, Ending ending) const {
    const int8_t type = u_charType(first_character(at));
    return is_bracket_or_quote(at) && type != U_START_PUNCTUATION &&
           !(type == U_INITIAL_PUNCTUATION && ending == Ending::wide);
  }

  bool is_quote(std::size_t at) const {
    return is_bracket_or_quote(at) &&
           u_hasBinaryProperty(first_character(at), UCHAR_QUOTATION_MARK);
  }

  bool has_quote(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (is_quote(at)) return true;
    }
    return false;
  }

  /// Skips the closing quotation marks, brackets and references (numbers in brackets) from token
  /// `at` on, after this ending. Returns the next token.
  std::size_t behind_closers(std::size_t at, Ending ending) const {
    for (;;) {
      if (is_reference(at)) {
        at += kReferenceTokens;
      } else if (at == tokens_.size() || !is_close(at, ending)) {
        return at;
      } else if (!is_apart(at)) {
        ++at;
      } else {
        return closes_apart(at) ? at + 1 : at;
      }
    }
  }

  /// True if a number in brackets begins with token `at`, without white space before it.
  bool is_reference(std::size_t at) const {
    return tokens_.size() - at >= kReferenceTokens && !is_apart(at) && bytes(at) == "[" &&
           tokens_[at + 1].kind == TokenKind::number && bytes(at + 2) == "]";
  }

  /// True if a quotation mark with white space on both sides is certainly a closing one.
  bool closes_apart(std::size_t at) const {
    if (at + 1 < tokens_.size() && !is_apart(at + 1)) return false;
    return bytes(at) == "''" || u_charType(first_character(at)) == U_FINAL_PUNCTUATION;
  }

  /// True if a sentence can begin with token `at` after a sentence with this ending. `quoted`: a
  /// quotation ends here, so the sentence around it may continue: "Really?" she asked.
  bool may_begin(std::size_t at, Ending ending, bool quoted) const {
    if (!is_apart(at) && ending != Ending::wide) {
      const int32_t first = sentence_class(first_character(at));
      return ending != Ending::capital &&
             (first == U_SB_UPPER ||
              (first == U_SB_OLETTER && ending == Ending::exclamation && !quoted));
    }
    constexpr std::size_t kMaxLookedAt = 8;
    const std::size_t last = std::min(tokens_.size(), at + kMaxLookedAt);
    for (std::size_t next = at; next < last; ++next) {
      const UChar32 first = first_character(next);
      switch (sentence_class(first)) {
        case U_SB_ATERM:
        case U_SB_STERM:
        case U_SB_SCONTINUE:
          if (next > at) return ending != Ending::capital;
          if (begins_speech(next)) break;
          return false;
        case U_SB_LOWER:
          return (ending == Ending::exclamation && !quoted) || ending == Ending::wide;
        case U_SB_UPPER:
          return true;
        case U_SB_OLETTER:
          return ending != Ending::capital;
        default:
          if (ending == Ending::capital && !is_quote(next)) return false;
          break;
      }
    }
    return ending != Ending::capital;
  }

  /// True if a token is a dash before speech or an item ("- Ja"), or two commas used as a low
  /// quotation mark (",,Nein").
  bool begins_speech(std::size_t at) const {
    if (bytes(at) == ",,") return true;
    if (u_charType(first_character(at)) != U_DASH_PUNCTUATION || at + 1 == tokens_.size()) {
      return false;
    }
    return is_apart(at) && is_apart(at + 1) &&
           sentence_class(first_character(at + 1)) == U_SB_UPPER;
  }

  static constexpr std::size_t kReferenceTokens = 3;

  std::string_view text_;
  std::span<const RuleToken> tokens_;
  const TokenRules& rules_;
};

}  // namespace

std::size_t first_sentence(std::string_view text, std::span<const RuleToken> tokens,
                           const TokenRules& rules) {
  return SentenceEnds(text, tokens, rules).first();
}

}  // namespace elmo
