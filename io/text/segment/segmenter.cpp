#include "io/text/segment/segmenter.h"

#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_tokens.h"
#include "io/text/segment/token_rules.h"

namespace elmo {
namespace {

class RuleSegmenter final : public Segmenter {
 public:
  RuleSegmenter(TokenRules rules, const std::string& locale)
      : rules_(std::move(rules)), tokenizer_(make_rule_tokenizer(rules_, locale)) {}

  void set_text(std::string_view text) override {
    text_ = text;
    tokens_.clear();
    tokenizer_->tokenize(text, tokens_);
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
  const std::unique_ptr<RuleTokenizer> tokenizer_;
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
  throw RequestError(Setting{"contractions"} + " expand: found the tokenizer " +
                     std::string(kTokenizerKinds.word(settings.kind)) + " and the locale " +
                     locale + ", which have no contractions; expected ud and " +
                     languages_with_contractions() + ", or a rule file that lists contractions");
}

}  // namespace

std::unique_ptr<Segmenter> make_segmenter(const TokenizerSettings& settings) {
  const std::string locale = canonical_locale(settings.locale);
  if (settings.kind == TokenizerKind::icu) {
    require_contractions(settings, locale, false);
    return make_icu_segmenter(locale);
  }
  TokenRules rules = rules_of(settings, locale);
  require_contractions(settings, locale, !rules.contractions.empty());
  return std::make_unique<RuleSegmenter>(std::move(rules), locale);
}

bool has_contractions(const std::string& locale) {
  return !rules_of_locale(TokenStyle::ud, canonical_locale(locale)).contractions.empty();
}

}  // namespace elmo
