#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/text/segment/characters.h"
#include "io/text/segment/html.h"
#include "io/text/segment/rule_tokens.h"

namespace elmo {
namespace {

/// How a token may end a sentence. This limits the tokens that can begin the next one.
enum class Ending {
  none,         ///< does not end a sentence
  full_stop,    ///< the next sentence may begin with anything but a small letter
  exclamation,  ///< or a question mark: the next sentence may begin with
                ///< anything
  wide,         ///< a terminator of a script without blanks: the same, even without
                ///< white space
  capital       ///< the next sentence must begin with a capital
};

/// A possible end of a sentence.
struct Candidate {
  std::size_t terminator;  ///< its token
  std::size_t closers;     ///< the first closing quote or bracket after it, if any
  std::size_t next;        ///< the token after those
  Ending ending;
};

/// Terminators that Unicode 15 does not know as such: of Khmer, Tibetan and Sinhala.
constexpr std::u32string_view kOtherTerminators = U"\u17D4\u17D5\u0F0D\u0F0E\u0DF4";

/// Commas that Unicode counts among the terminators: of Burmese, Javanese and Balinese.
constexpr std::u32string_view kCommas = U"\u104A\uA9C8\u1B5E";

/// True for the shad of Tibetan, which may be repeated after a blank: །  །
bool is_shad(UChar32 c) { return is_in(c, U"\u0F0D\u0F0E"); }

int32_t sentence_class(UChar32 c) { return u_getIntPropertyValue(c, UCHAR_SENTENCE_BREAK); }

/// The ends of the sentences of a tokenized text.
class SentenceEnds {
 public:
  SentenceEnds(const TokenView& tokens, const TokenRules& rules) : tokens_(tokens), rules_(rules) {}

  /// The number of tokens in the first sentence.
  std::size_t first() {
    for (std::size_t at = 0; at < tokens_.size();) {
      at = after_title(at);
      const Ending ending = ending_of(at);
      ++at;
      if (ending == Ending::none) continue;
      const Candidate candidate{at - 1, at, after_closers(at, ending), ending};
      at = candidate.next;
      if (at == tokens_.size() || may_begin(candidate)) return at;
    }
    return tokens_.size();
  }

 private:
  /// Skips a title in East Asian brackets, in which no sentence ends. Returns the bracket that
  /// closes it or, if these brackets also quote, the last token in them; `at` if no title begins
  /// there. Examines each token once for each kind of bracket.
  std::size_t after_title(std::size_t at) {
    if (tokens_[at].kind != TokenKind::sign) return at;
    constexpr std::u32string_view kOpening = U"\u300A\u3008\u300E";
    constexpr std::u32string_view kClosing = U"\u300B\u3009\u300F";
    const std::size_t kind = kOpening.find(static_cast<char32_t>(tokens_.first_character(at)));
    if (kind == std::u32string_view::npos) return at;
    constexpr std::size_t kMaxBytes = 512;  // less than Segmenter::kLookahead
    const std::size_t begin = tokens_[at].range.begin;
    std::size_t& next = closer_[kind];
    next = std::max(next, at + 1);
    for (; next < tokens_.size(); ++next) {
      if (tokens_[next].range.end - begin > kMaxBytes) return at;
      if (static_cast<char32_t>(tokens_.first_character(next)) == kClosing[kind]) break;
    }
    if (next == tokens_.size()) return at;
    return kClosing[kind] == 0x300F ? next - 1 : next;
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
    const UChar32 last = tokens_.last_character(at);
    constexpr UChar32 kEllipsis = 0x2026;
    constexpr UChar32 kFirstWide = 0x2E80;
    const auto sign = static_cast<char32_t>(last);
    if (rules_.final_before_capital.contains(fold_character(sign))) return Ending::capital;
    if (is_listed(rules_.inner_signs, at) || is_in(last, kCommas) || is_lone_shad(at)) {
      return Ending::none;
    }
    if (is_in(last, kOtherTerminators)) return Ending::wide;
    const bool final = is_listed(rules_.final_signs, at);
    switch (sentence_class(last)) {
      case U_SB_ATERM: {
        const Ending ending = ending_of_full_stop(at);
        return final && ending == Ending::full_stop ? Ending::exclamation : ending;
      }
      case U_SB_STERM:
        return last >= kFirstWide ? Ending::wide : Ending::exclamation;
      default:
        if (final) return Ending::exclamation;
        return last == kEllipsis ? Ending::full_stop : Ending::none;
    }
  }

  bool is_listed(const TokenRules::Words& signs, std::size_t at) const {
    return !signs.empty() && signs.contains(composed(tokens_.text(at)));
  }

  /// True for a shad without a word before it, which opens a text: ༄༅། །
  bool is_lone_shad(std::size_t at) const {
    return is_shad(tokens_.first_character(at)) &&
           (at == 0 || tokens_[at - 1].kind == TokenKind::sign);
  }

  /// Returns the ending of a full stop that is a token of its own.
  Ending ending_of_full_stop(std::size_t at) const {
    // The number of a list item does not end a sentence.
    if (at == 1 && tokens_[0].kind == TokenKind::number) return Ending::none;
    if (is_date_stop(tokens_, at) || is_heading_stop(at)) return Ending::none;
    return at > 0 && tokens_.is_apart(at) ? ending_of_word_apart(at) : Ending::full_stop;
  }

  /// True for the full stop of a number after `Art.`, `Sec.` and other words of headings.
  bool is_heading_stop(std::size_t at) const {
    if (at < 2 || rules_.headings.empty()) return false;
    if (tokens_[at - 1].kind != TokenKind::number && !is_roman_number(tokens_.text(at - 1))) {
      return false;
    }
    std::string_view word = tokens_.text(at - 2);
    if (word == "." && at > 2) {
      word = tokens_.text(at - 3);
    } else if (word.ends_with('.')) {
      word.remove_suffix(1);
    }
    return rules_.headings.contains(composed(word));
  }

  /// Returns the ending of a full stop with a blank before it, which may belong to an abbreviation
  /// nevertheless: e . V .
  Ending ending_of_word_apart(std::size_t at) const {
    const std::string_view after = tokens_.text_after(at);
    const auto match = [this](std::size_t word, std::string_view text) {
      return rules_.spaced_abbreviations.match(composed(tokens_.text(word)), text);
    };
    if (!match(at - 1, after).whole.empty()) return Ending::none;
    constexpr std::size_t kMaxParts = 4;
    std::string word = composed(tokens_.text(at - 1));
    for (std::size_t part = 1; part < kMaxParts && 2 * part < at; ++part) {
      const std::size_t first = at - 1 - 2 * part;
      if (tokens_.text(first + 1) != ".") break;
      const auto found = match(first, tokens_.text_after(first + 1));
      if (found.size == tokens_.text_after(first + 1).size() - after.size()) word = found.whole;
    }
    if (rules_.final_abbreviations.contains(word)) return Ending::capital;
    return rules_.abbreviations.contains(word) ? Ending::none : Ending::full_stop;
  }

  bool has_final_ending(std::size_t at) const {
    return !rules_.final_endings.empty() && at + 1 < tokens_.size() && tokens_.is_apart(at + 1) &&
           tokens_[at + 1].kind != TokenKind::sign &&
           rules_.final_endings.end(composed(tokens_.text(at)));
  }

  /// True if a token is a quotation mark or a bracket.
  bool is_bracket_or_quote(std::size_t at) const {
    return tokens_[at].kind == TokenKind::sign &&
           sentence_class(tokens_.first_character(at)) == U_SB_CLOSE;
  }

  /// True if a token can close a sentence with this ending. Signs of the category Pi close in some
  /// languages, but not after a wide full stop.
  bool is_close(std::size_t at, Ending ending) const {
    const int8_t type = u_charType(tokens_.first_character(at));
    return is_bracket_or_quote(at) && type != U_START_PUNCTUATION &&
           !(type == U_INITIAL_PUNCTUATION && ending == Ending::wide);
  }

  bool is_quote(std::size_t at) const {
    return is_bracket_or_quote(at) &&
           u_hasBinaryProperty(tokens_.first_character(at), UCHAR_QUOTATION_MARK);
  }

  bool has_quote(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (is_quote(at)) return true;
    }
    return false;
  }

  /// True for the closing bracket of a treebank: -RRB-.
  bool is_closing_word(std::size_t at) const {
    const std::string_view text = tokens_.text(at);
    return text == "-RRB-" || text == "-RSB-" || text == "-RCB-";
  }

  /// Skips the closing quotation marks, brackets, repeated shads, references (numbers in brackets)
  /// and HTML tags that open nothing from token `at` on, after this ending. Returns the next token.
  std::size_t after_closers(std::size_t at, Ending ending) const {
    for (;;) {
      if (const std::size_t after = after_tag(at, false); after > at) {
        at = after;
      } else if (is_reference(at)) {
        at += kReferenceTokens;
      } else if (at == tokens_.size()) {
        return at;
      } else {
        if (!is_shad(tokens_.first_character(at)) && !is_closing_word(at)) {
          if (!is_close(at, ending)) return at;
          if (tokens_.is_apart(at)) return closes_apart(at) ? at + 1 : at;
        }
        ++at;
      }
    }
  }

  /// Returns the token after the HTML tag that begins with token `at`. Returns `at` where no tag
  /// begins, and for a tag that opens something if `opening` is false.
  std::size_t after_tag(std::size_t at, bool opening) const {
    if (at == tokens_.size() || tokens_.text(at) != "<") return at;
    const HtmlTag tag = html_tag(tokens_.text_from(at), 0);
    if (tag.end == TokenView::npos || (tag.opens && !opening)) return at;
    const std::size_t end = tokens_[at].range.begin + tag.end;
    while (at < tokens_.size() && tokens_[at].range.begin < end) ++at;
    return at;
  }

  /// True if a number in brackets begins with token `at`, without white space before it.
  bool is_reference(std::size_t at) const {
    return tokens_.size() - at >= kReferenceTokens && !tokens_.is_apart(at) &&
           tokens_.text(at) == "[" && tokens_[at + 1].kind == TokenKind::number &&
           tokens_.text(at + 2) == "]";
  }

  /// True if a quotation mark with white space on both sides is certainly a closing one.
  bool closes_apart(std::size_t at) const {
    if (at + 1 < tokens_.size() && !tokens_.is_apart(at + 1)) return false;
    return tokens_.text(at) == "''" ||
           u_charType(tokens_.first_character(at)) == U_FINAL_PUNCTUATION;
  }

  /// Returns the token that opens the bracket which token `close` closes; npos if the sentence has
  /// none shortly before.
  std::size_t opener_of(std::size_t close) const {
    constexpr std::size_t kMaxTokens = 64;
    const UChar32 opening = u_getBidiPairedBracket(tokens_.first_character(close));
    for (std::size_t at = close; at > 0 && close - at < kMaxTokens;) {
      --at;
      if (tokens_.first_character(at) == opening) return at;
    }
    return TokenView::npos;
  }

  /// True if the sentence that ends here is a remark in brackets inside another, which goes on with
  /// token `next`: He came (really!) with us. Before a capital that is only certain of the signs
  /// themselves: Er kam (!) Montag.
  bool is_remark(const Candidate& candidate) const {
    const std::size_t close = candidate.next - 1;
    if (candidate.closers == candidate.next || candidate.ending == Ending::capital ||
        u_charType(tokens_.first_character(close)) != U_END_PUNCTUATION || is_quote(close)) {
      return false;
    }
    const std::size_t opener = opener_of(close);
    if (opener == TokenView::npos || opener == 0) return false;
    switch (sentence_class(tokens_.first_character(candidate.next))) {
      case U_SB_LOWER:
      case U_SB_OLETTER:
        return true;
      default:
        return candidate.ending == Ending::exclamation && opener + 1 == candidate.terminator &&
               close == candidate.closers;
    }
  }

  /// True if the words after a quotation belong to the sentence that it is in:
  /// 「行こう！」と言った。
  bool goes_on_after_quotation(const Candidate& candidate) const {
    return !rules_.after_quotation.empty() && has_quote(candidate.closers, candidate.next) &&
           rules_.after_quotation.begin(tokens_.text_from(candidate.next));
  }

  /// True if a sentence can begin with the next token.
  bool may_begin(const Candidate& candidate) const {
    const Ending ending = candidate.ending;
    std::size_t at = candidate.next;
    while (after_tag(at, true) > at) at = after_tag(at, true);
    if (at == tokens_.size()) return false;
    if (is_remark(candidate) || goes_on_after_quotation(candidate)) return false;
    const bool quoted = has_quote(candidate.closers, candidate.next);
    const bool tagged = at > candidate.next || tokens_.text(at - 1) == ">";
    if (!tagged && !tokens_.is_apart(at) && ending != Ending::wide) {
      const int32_t first = sentence_class(tokens_.first_character(at));
      return ending != Ending::capital &&
             (first == U_SB_UPPER ||
              (first == U_SB_OLETTER && ending == Ending::exclamation && !quoted));
    }
    constexpr std::size_t kMaxLookedAt = 8;
    const std::size_t last = std::min(tokens_.size(), at + kMaxLookedAt);
    for (std::size_t next = at; next < last; ++next) {
      switch (sentence_class(tokens_.first_character(next))) {
        case U_SB_ATERM:
        case U_SB_STERM:
        case U_SB_SCONTINUE:
          if (next > at) return ending != Ending::capital;
          if (begins_speech(next, quoted)) break;
          return false;
        case U_SB_LOWER:
          return (ending == Ending::exclamation && !quoted) || ending == Ending::wide ||
                 (next == at && begins_with_small_letter(candidate));
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

  /// True if a sentence begins with a small letter, as in careless writing (We get back. i am
  /// sure.): after a full stop that is no part of an abbreviation. A word without vowels is one.
  bool begins_with_small_letter(const Candidate& candidate) const {
    constexpr std::size_t kMinLetters = 3;
    const std::size_t stop = candidate.terminator;
    if (stop == 0 || candidate.closers != candidate.next || tokens_.text(stop) != "." ||
        tokens_.is_apart(stop) || tokens_[stop - 1].kind != TokenKind::word ||
        tokens_[candidate.next].kind != TokenKind::word) {
      return false;
    }
    std::size_t letters = 0;
    bool vowel = false;
    bool small = false;  // capitals alone are names: the album DAMN. was
    const std::string word = composed(tokens_.text(stop - 1));
    for (std::size_t next = 0; next < word.size();) {
      const UChar32 c = next_code_point(word, next);
      if (!u_isalpha(c)) return false;
      ++letters;
      vowel = vowel || is_vowel(u_tolower(c));
      small = small || !u_isupper(c);
    }
    return letters >= kMinLetters && vowel && small;
  }

  /// True for a vowel of Latin, Greek or Cyrillic script, with or without an accent.
  static bool is_vowel(UChar32 c) {
    constexpr std::u32string_view kVowels =
        U"aeiouy\u00E6\u00F8\u0153\u0131\u03B1\u03B5\u03B7"
        U"\u03B9\u03BF\u03C5\u03C9\u0430\u0435\u0451\u0438"
        U"\u043E\u0443\u044B\u044D\u044E\u044F\u0454\u0456";
    return is_in(base_letter(c), kVowels);
  }

  /// True if a turn or an item begins with a token: a dash before a capital ("- Ja", "—¿Sí?"), a
  /// treebank's bracket ("-LRB-"), or two commas used as a low quotation mark (",,Nein"). After a
  /// quotation, a glued dash begins the name of who said it.
  bool begins_speech(std::size_t at, bool quoted) const {
    if (tokens_.text(at) == ",,") return true;
    const UChar32 dash = tokens_.first_character(at);
    if (u_charType(dash) != U_DASH_PUNCTUATION || !tokens_.is_apart(at)) return false;
    if (tokens_[at].kind != TokenKind::sign) {  // –Joo
      const std::string_view word = tokens_.text(at);
      std::size_t next = 0;
      next_code_point(word, next);
      return (dash != '-' || word.ends_with('-')) && next < word.size() &&
             sentence_class(next_code_point(word, next)) == U_SB_UPPER;
    }
    const bool glued = at + 1 < tokens_.size() && !tokens_.is_apart(at + 1);
    if (glued && quoted) return false;
    constexpr std::size_t kMaxOpening = 2;  // of quotes, brackets, ¿ and ¡
    for (std::size_t next = at + 1; next < tokens_.size() && next <= at + 1 + kMaxOpening; ++next) {
      const int32_t first = sentence_class(tokens_.first_character(next));
      if (first == U_SB_UPPER) return true;
      if (first == U_SB_OLETTER) return glued;
      if (first != U_SB_CLOSE && first != U_SB_OTHER) return false;
    }
    return false;
  }

  static constexpr std::size_t kReferenceTokens = 3;

  const TokenView& tokens_;
  const TokenRules& rules_;
  // For each kind of bracket: no token between the last one that opens a title and this one closes
  // one.
  std::array<std::size_t, 3> closer_{};
};

}  // namespace

std::size_t first_sentence(std::string_view text, std::span<const RuleToken> tokens,
                           const TokenRules& rules) {
  const TokenView view(text, tokens);
  return SentenceEnds(view, rules).first();
}

}  // namespace elmo
