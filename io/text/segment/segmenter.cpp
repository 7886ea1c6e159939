#include "io/text/segment/segmenter.h"

#include <unicode/uchar.h>

#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/abbreviations.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_tokenizer.h"
#include "io/text/segment/sentence_ends.h"
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

  /// Returns the tokens that begin before `limit`.
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
  std::size_t position_ = 0;  // start of the search for the next token
  std::vector<TextRange> tokens_;
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
    const std::size_t size = first_sentence(text_, rest, rules_);
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

  std::vector<std::string> words_of(std::string_view token) const override {
    return rules_.contractions.words_of(token);
  }

 private:
  const TokenRules rules_;
  RuleTokenizer tokenizer_;
  std::string_view text_;
  RuleTokens tokens_;     // tokens of the text
  std::size_t next_ = 0;  // the first token of the next sentence
  bool ended_ = true;
  std::vector<TextRange> ranges_;
};

/// Returns the rules of a tokenizer that has any.
TokenRules rules_of(const TokenizerSettings& settings, const std::string& locale) {
  switch (settings.kind) {
    case TokenizerKind::ud:
      return rules_of_locale(TokenStyle::ud, locale);
    case TokenizerKind::moses:
      return rules_of_locale(TokenStyle::moses, locale);
    default:
      return rules_of_file(settings.rules, settings.rule_file, locale);
  }
}

/// Returns the languages whose rules have contractions, such as "de, es or fr".
std::string languages_with_contractions() {
  std::vector<std::string> languages;
  for (const LanguageFile& file : kLanguageFiles) {
    TokenRules rules;
    add_token_rules(rules, file.text, std::string(file.name));
    if (!rules.contractions.empty()) languages.emplace_back(file.name);
  }
  return alternatives(std::move(languages));
}

/// RequestError if contractions are to be expanded and `known` is false.
void require_contractions(const TokenizerSettings& settings, const std::string& locale,
                          bool known) {
  if (settings.contractions == ContractionMode::keep || known) return;
  throw RequestError(Setting::contractions + " expand: found the tokenizer " +
                     std::string(kTokenizerKinds.word(settings.kind)) + " and the locale " +
                     locale + ", which have no contractions; expected ud and " +
                     languages_with_contractions() + ", or a rule file that lists contractions");
}

}  // namespace

std::unique_ptr<Segmenter> make_segmenter(const TokenizerSettings& settings) {
  const std::string locale = canonical_locale(settings.locale);
  if (settings.kind == TokenizerKind::icu) {
    require_contractions(settings, locale, false);
    return std::make_unique<IcuSegmenter>(locale);
  }
  TokenRules rules = rules_of(settings, locale);
  require_contractions(settings, locale, !rules.contractions.empty());
  return std::make_unique<RuleSegmenter>(std::move(rules), locale);
}

bool has_contractions(const std::string& locale) {
  return !rules_of_locale(TokenStyle::ud, canonical_locale(locale)).contractions.empty();
}

}  // namespace elmo
