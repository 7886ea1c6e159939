#include "io/text/segment/segmenter.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "io/text/segment/abbreviations.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_tokenizer.h"
#include "io/text/segment/token_rules.h"

namespace elmo {
namespace {

bool is_blank(UChar32 c) { return u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR; }

bool is_visible_ascii(char c) { return c > ' ' && c < '\x7f'; }

bool has_visible(std::string_view text) {
  for (std::size_t next = 0; next < text.size();) {
    if (!is_invisible(next_code_point(text, next))) return true;
  }
  return false;
}

/// Removes blanks at both ends; the range becomes empty if no visible character is left.
TextRange trim(std::string_view text, TextRange range) {
  if (is_visible_ascii(text[range.begin]) && is_visible_ascii(text[range.end - 1])) return range;
  for (std::size_t next = range.begin; range.begin < range.end; range.begin = next) {
    if (!is_blank(next_code_point(text, next))) break;
  }
  for (std::size_t before = range.end; range.begin < range.end; range.end = before) {
    if (!is_blank(previous_code_point(text, before))) break;
  }
  if (!has_visible(text.substr(range.begin, range.end - range.begin))) range.end = range.begin;
  return range;
}

/// Sentences and tokens by ICU. Tokens are words, numbers, symbols and punctuation marks. A token
/// is the text between two word boundaries, without white space and control characters
/// (White_Space, General_Category Cc) at either end. It is dropped if no visible character is left
/// (only Default_Ignorable_Code_Point: zero-width space, byte order mark, direction marks, …).
/// White space inside a word stays: a narrow no-break space between digits joins them.
class IcuSegmenter final : public Segmenter {
 public:
  explicit IcuSegmenter(const std::string& locale)
      : words_(BoundaryKind::word, locale),
        sentences_(BoundaryKind::sentence, locale),
        abbreviations_(locale) {}

  void set_text(std::string_view text) override {
    sentences_.set_text(text);
    begin(text);
  }

  Sentence next() override {
    std::size_t end = sentences_.next();
    while (end < text_.size() && abbreviations_.at(text_, end)) end = sentences_.next();
    if (end == Boundaries::npos) return {};
    take(end);
    return {tokens_, end, position_};
  }

  std::span<const TextRange> tokens_of(std::string_view text) override {
    begin(text);
    take(text.size());
    return tokens_;
  }

 private:
  void begin(std::string_view text) {
    words_.set_text(text);
    text_ = text;
    position_ = 0;
  }

  /// Takes the tokens that begin before `limit`.
  void take(std::size_t limit) {
    tokens_.clear();
    while (position_ < limit) {
      const std::size_t begin = position_;
      const std::size_t end = words_.next();
      if (end == Boundaries::npos) return;
      position_ = end;
      const TextRange token = trim(text_, {begin, end});
      if (token.begin < token.end) tokens_.push_back(token);
    }
  }

  Boundaries words_;
  Boundaries sentences_;
  Abbreviations abbreviations_;
  std::string_view text_;
  std::size_t position_ = 0;  // where the search for the next token continues
  std::vector<TextRange> tokens_;
};

/// How a token may end a sentence, which limits the token that can begin the next one.
enum class Ending {
  none,         ///< does not end a sentence
  full_stop,    ///< the next sentence may begin with anything but a small letter
  exclamation,  ///< or a question mark: the next sentence may begin with anything
  wide,         ///< an East Asian terminator: the same, even without white space between
  capital       ///< the next sentence must begin with a capital
};

/// The ends of the sentences of a tokenized text. Follows UAX #29, section 5, on tokens, which are
/// never split: a sentence ends after a terminator and closing quotes or brackets if the next token
/// can begin a sentence. Abbreviations, initials and ordinals do not end a sentence; an emoticon
/// may.
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

  /// The same, but only for signs that can close a sentence with this ending. Signs of the category
  /// Pi close in some languages, but not behind a wide full stop.
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

  /// Returns the first token after the closing quotation marks, brackets and references (numbers in
  /// brackets) that begin with token `at`, after this ending.
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

  /// True if a sentence can begin with token `at` after a sentence with this ending. `quoted`: the
  /// ending is that of a quotation, so what follows may belong to the sentence that it is in:
  /// "Really?" she asked.
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

class RuleSegmenter final : public Segmenter {
 public:
  RuleSegmenter(TokenRules rules, const std::string& locale)
      : rules_(std::move(rules)), tokenizer_(rules_, locale) {}

  void set_text(std::string_view text) override {
    text_ = text;
    tokens_.clear();
    tokenizer_.tokenize(text, tokens_);
    next_ = 0;
    ended_ = false;
  }

  Sentence next() override {
    if (ended_) return {};
    const std::span<const RuleToken> rest = std::span(tokens_).subspan(next_);
    const std::size_t size = SentenceEnds(text_, rest, rules_).first();
    next_ += size;
    ended_ = next_ == tokens_.size();
    ranges_.clear();
    for (const RuleToken& token : rest.first(size)) ranges_.push_back(token.range);
    const std::size_t end = ended_ ? text_.size() : tokens_[next_].range.begin;
    return {ranges_, end, end};
  }

  std::span<const TextRange> tokens_of(std::string_view text) override {
    set_text(text);
    ranges_.clear();
    for (const RuleToken& token : tokens_) ranges_.push_back(token.range);
    return ranges_;
  }

 private:
  const TokenRules rules_;
  RuleTokenizer tokenizer_;
  std::string_view text_;
  std::vector<RuleToken> tokens_;  // of the text
  std::size_t next_ = 0;           // the first token of the next sentence
  bool ended_ = true;
  std::vector<TextRange> ranges_;
};

}  // namespace

std::unique_ptr<Segmenter> make_segmenter(const TokenizerSettings& settings) {
  const std::string locale = canonical_locale(settings.locale);
  switch (settings.kind) {
    case TokenizerKind::icu:
      break;
    case TokenizerKind::ud:
      return std::make_unique<RuleSegmenter>(rules_of_locale(TokenStyle::ud, locale), locale);
    case TokenizerKind::moses:
      return std::make_unique<RuleSegmenter>(rules_of_locale(TokenStyle::moses, locale), locale);
    case TokenizerKind::file:
      return std::make_unique<RuleSegmenter>(
          rules_of_file(settings.rules, settings.rule_file, locale), locale);
  }
  return std::make_unique<IcuSegmenter>(locale);
}

}  // namespace elmo
