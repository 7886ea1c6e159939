#include "io/text/segment/token_rules.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/abbreviations.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the characters of valid UTF-8, composed.
std::u32string characters_of(std::string_view value) {
  const std::string text = composed(value);
  std::u32string characters;
  for (std::size_t next = 0; next < text.size();) {
    characters += static_cast<char32_t>(next_code_point(text, next));
  }
  return characters;
}

bool is_mark(char32_t character) {
  return belongs_to_character_before(static_cast<std::int32_t>(character));
}

/// Removes characters that the tokenizer ignores when comparing.
std::u32string without_marks(std::u32string characters) {
  std::erase_if(characters, is_mark);
  return characters;
}

/// The longest value of a rule, in bytes.
constexpr std::size_t kMaxValue = 256;

/// Returns `text` in quotes, cut after 100 bytes.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMaxQuoted = 100;
  if (text.size() <= kMaxQuoted) return "'" + std::string(text) + "'";
  const std::size_t size = size_of_complete_characters(text.substr(0, kMaxQuoted));
  return "'" + std::string(text.substr(0, size)) + "...'";
}

/// Reads the applicable parts of a rule file: the part before the first section, and the section of
/// the style.
class RuleFile {
 public:
  RuleFile(TokenRules& rules, const std::string& name) : rules_(rules), name_(name) {}

  void read(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      check_characters(line);
      read_line(without_outer_blanks(line));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// The style that the file sets.
  TokenStyle style() const { return style_; }

 private:
  void check_characters(std::string_view line) const {
    for (std::size_t next = 0; next < line.size();) {
      const UChar32 c = next_code_point(line, next);
      if (c < 0) fail("invalid UTF-8", "UTF-8");
      if (c == ' ' || c == '\t' || c == '\r') continue;
      if (u_charType(c) == U_CONTROL_CHAR) fail("a control character", "text");
      if (u_isUWhiteSpace(c) && !line.starts_with('#')) {
        fail("a no-break space or another blank of Unicode", "values separated by plain spaces");
      }
    }
  }

  void read_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (line.front() == '[') return begin_section(line);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      fail(in_quotes(line), "KEY: VALUES, [ud], [moses], or # and a comment");
    }
    const std::string_view key = without_outer_blanks(line.substr(0, colon));
    std::string_view values = line.substr(colon + 1);
    std::vector<std::string> words;
    for (;;) {
      values = without_outer_blanks(values);
      if (values.empty()) break;
      const std::size_t end = std::min(values.find_first_of(" \t"), values.size());
      if (end > kMaxValue) fail(in_quotes(values.substr(0, end)), "values of at most 256 bytes");
      words.emplace_back(values.substr(0, end));
      values.remove_prefix(end);
    }
    if (words.empty()) fail("no value of " + in_quotes(key), "values separated by blanks");
    set(key, words);
  }

  void begin_section(std::string_view line) {
    const std::optional<TokenStyle> style =
        line.ends_with(']') ? kTokenStyles.find(line.substr(1, line.size() - 2)) : std::nullopt;
    if (!style) fail(in_quotes(line), "[ud] or [moses]");
    counts_ = *style == rules_.style;
  }

  /// Sets a key. Values of sections that do not apply are also checked.
  void set(std::string_view key, const std::vector<std::string>& values) {
    TokenRules unused;
    TokenRules& rules = counts_ ? rules_ : unused;
    if (WordPatterns* patterns = patterns_of(rules, key)) {
      for (const std::string& value : values) {
        const std::string problem = patterns->add(characters_of(value));
        if (!problem.empty()) fail("the pattern " + in_quotes(value), problem);
        if (patterns == &rules.split && value.find('|') == std::string::npos) {
          fail("the pattern " + in_quotes(value), "a | where the word is split, as in do|n't");
        }
      }
    } else if (SignSet* signs = signs_of(rules, key)) {
      *signs = {};
      for (const std::string& value : values) add_sign(*signs, value);
    } else if (TokenRules::Words* words = words_of(rules, key)) {
      for (const std::string& value : values) add_word(rules, *words, key, value);
    } else if (key == "domains") {
      for (const std::string& value : values) rules.domains.insert(domain(value));
    } else if (key == "apostrophe") {
      rules.apostrophe = choice(kApostrophes, key, values);
    } else if (key == "dictionary") {
      rules.dictionary = yes_or_no(key, values);
    } else if (key == "full-stop-apart") {
      rules.full_stop_apart = yes_or_no(key, values);
    } else if (key == "final-signs") {
      for (const std::string& value : values) add_run(rules.final_signs, value);
    } else if (key == "inner-signs") {
      for (const std::string& value : values) add_run(rules.inner_signs, value);
    } else if (key == "final-endings") {
      for (const std::string& value : values) add_affix(rules.final_endings, value);
    } else if (key == "after-quotation") {
      for (const std::string& value : values) add_affix(rules.after_quotation, value);
    } else if (key == "digit-groups") {
      rules.digit_groups = yes_or_no(key, values);
    } else if (key == "ordinals") {
      rules.ordinals = yes_or_no(key, values);
    } else if (key == "cut-weights") {
      for (const std::string& value : values) add_weight(rules.cut_weights, value);
    } else if (key == "contractions") {
      for (const std::string& value : values) {
        const std::string problem = rules.contractions.add(value);
        if (!problem.empty()) fail("the contraction " + in_quotes(value), problem);
      }
    } else if (key == "roman-ordinals") {
      rules.roman_ordinals = yes_or_no(key, values);
    } else if (key == "emoticons") {
      for (const std::string& value : values) rules.emoticons.add(emoticon(value));
    } else if (key == "style") {
      style_ = choice(kTokenStyles, key, values);
    } else {
      fail("the key " + in_quotes(key),
           "split, keep, join, between-letters, between-digits, between-mixed, before-letters, "
           "before-digits, after-letters, after-digits, units, single, apostrophe, dictionary, "
           "cut-weights, contractions, full-stop-apart, digit-groups, ordinals, roman-ordinals, "
           "before-ordinal, "
           "after-ordinal, sentence-openers, abbreviations, final-abbreviations, "
           "inner-abbreviations, number-abbreviations, name-abbreviations, headings, "
           "final-endings, final-signs, final-before-capital, inner-signs, after-quotation, "
           "emoticons, domains or style");
    }
  }

  static WordPatterns* patterns_of(TokenRules& rules, std::string_view key) {
    if (key == "split") return &rules.split;
    if (key == "keep") return &rules.keep;
    return key == "join" ? &rules.join : nullptr;
  }

  static SignSet* signs_of(TokenRules& rules, std::string_view key) {
    if (key == "between-letters") return &rules.between_letters;
    if (key == "between-digits") return &rules.between_digits;
    if (key == "between-mixed") return &rules.between_mixed;
    if (key == "before-letters") return &rules.before_letters;
    if (key == "before-digits") return &rules.before_digits;
    if (key == "after-letters") return &rules.after_letters;
    if (key == "after-digits") return &rules.after_digits;
    if (key == "final-before-capital") return &rules.final_before_capital;
    return key == "single" ? &rules.single : nullptr;
  }

  static TokenRules::Words* words_of(TokenRules& rules, std::string_view key) {
    if (key == "after-ordinal") return &rules.after_ordinal;
    if (key == "before-ordinal") return &rules.before_ordinal;
    if (key == "sentence-openers") return &rules.sentence_openers;
    if (key == "name-abbreviations") return &rules.name_abbreviations;
    if (key == "headings") return &rules.headings;
    if (key == "units") return &rules.units;
    if (key == "abbreviations") return &rules.abbreviations;
    if (key == "final-abbreviations") return &rules.final_abbreviations;
    if (key == "inner-abbreviations") return &rules.inner_abbreviations;
    return key == "number-abbreviations" ? &rules.number_abbreviations : nullptr;
  }

  void add_sign(SignSet& signs, const std::string& value) const {
    if (value == "none") return;
    const std::u32string characters = characters_of(value);
    if (characters.size() != 1 || u_isalnum(static_cast<UChar32>(characters.front()))) {
      fail(in_quotes(value), "single signs separated by blanks, or none");
    }
    signs.add(fold_character(characters.front()));
  }

  std::u32string emoticon(const std::string& value) const {
    const std::u32string characters = without_marks(characters_of(value));
    if (characters.empty() || characters.size() > Emoticons::kMaxCharacters) {
      fail(in_quotes(value), "emoticons of 1 to 16 characters, separated by blanks");
    }
    return characters;
  }

  std::u32string domain(const std::string& value) const {
    std::u32string characters = without_marks(characters_of(value));
    std::ranges::transform(characters, characters.begin(), fold_character);
    if (characters.empty() || characters.find(U'.') != std::u32string::npos) {
      fail(in_quotes(value), "the part after the last full stop of host names, as in com");
    }
    return characters;
  }

  void add_weight(CutWeights& weights, const std::string& value) const {
    const std::size_t equals = value.rfind('=');
    const std::string number = equals == std::string::npos ? "" : value.substr(equals + 1);
    float weight = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
    if (equals == 0 || number.empty() || error != std::errc() ||
        end != number.data() + number.size() || !std::isfinite(weight)) {
      fail(in_quotes(value), "a feature, = and a number, as in 1l\u306F=0.52");
    }
    weights.add(characters_of(value.substr(0, equals)), weight);
  }

  void add_run(TokenRules::Words& signs, const std::string& value) const {
    const std::u32string characters = characters_of(value);
    const char32_t first = characters.empty() ? U'a' : characters.front();
    if (characters.find_first_not_of(first) != std::u32string::npos ||
        u_isalnum(static_cast<UChar32>(first))) {
      fail(in_quotes(value), "signs, or runs of one sign, separated by blanks");
    }
    signs.insert(composed(value));
  }

  void add_affix(Affixes& affixes, const std::string& value) const {
    if (value.size() > Affixes::kMaxBytes) fail(in_quotes(value), "at most 64 bytes");
    affixes.add(composed(value));
  }

  void add_word(TokenRules& rules, TokenRules::Words& words, std::string_view key,
                const std::string& value) const {
    const std::string word = composed(without_full_stop(key, value));
    words.insert(word);
    if (rules.style == TokenStyle::ud && key.ends_with("abbreviations")) {
      rules.spaced_abbreviations.add(word);
    }
  }

  std::string without_full_stop(std::string_view key, const std::string& value) const {
    if (!key.ends_with("abbreviations") && key != "headings") return value;
    if (value.size() < 2 || value.back() != '.') fail(in_quotes(value), "a full stop at its end");
    return value.substr(0, value.size() - 1);
  }

  template <typename Enum, std::size_t size>
  Enum choice(const EnumTable<Enum, size>& table, std::string_view key,
              const std::vector<std::string>& values) const {
    const std::optional<Enum> value = table.find(values.front());
    if (!value || values.size() > 1) {
      fail(in_quotes(values.back()) + " for " + std::string(key), "one of " + table.words());
    }
    return *value;
  }

  bool yes_or_no(std::string_view key, const std::vector<std::string>& values) const {
    if (values.size() > 1 || (values.front() != "yes" && values.front() != "no")) {
      fail(in_quotes(values.back()) + " for " + std::string(key), "yes or no");
    }
    return values.front() == "yes";
  }

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw InputError(name_ + ": line " + std::to_string(line_) + ": found " + excerpt(found) +
                     "; expected " + expected + "; fix the rule file");
  }

  TokenRules& rules_;
  const std::string& name_;
  std::size_t line_ = 0;
  bool counts_ = true;
  TokenStyle style_ = TokenStyle::ud;
};

std::string_view file_of(std::string_view name) {
  for (const LanguageFile& file : kLanguageFiles) {
    if (file.name == name) return file.text;
  }
  return {};
}

void add_built_in(TokenRules& rules, std::string_view name) {
  add_token_rules(rules, file_of(name), std::string(name) + ".txt");
}

/// Returns the main script of a language, as in "Latn"; empty for the root locale.
std::string script_of_locale(const std::string& locale) {
  if (locale == kRootLocale) return "";
  constexpr int32_t kMaxScripts = 8;
  std::array<UScriptCode, kMaxScripts> scripts{};
  UErrorCode status = U_ZERO_ERROR;
  const int32_t count = uscript_getCode(locale.c_str(), scripts.data(), kMaxScripts, &status);
  return U_SUCCESS(status) && count > 0 ? uscript_getShortName(scripts[0]) : "";
}

TokenRules rules_of_all(TokenStyle style, const std::string& locale) {
  TokenRules rules;
  rules.style = style;
  add_built_in(rules, "all");
  for (const std::string& word : listed_abbreviations(locale)) {
    // CLDR's lists also contain ordinary words ("Act.", "Go."). These therefore keep their full
    // stop and do not end a sentence.
    if (word.ends_with('.')) {
      rules.abbreviations.insert(composed(std::string_view(word).substr(0, word.size() - 1)));
    }
  }
  return rules;
}

}  // namespace

void add_token_rules(TokenRules& rules, std::string_view text, const std::string& name) {
  RuleFile(rules, name).read(text);
}

TokenRules rules_of_locale(TokenStyle style, const std::string& locale) {
  TokenRules rules = rules_of_all(style, locale);
  std::string language = locale == kRootLocale ? locale : language_of(locale);
  if (language == "no") language = "nb";  // Norwegian is nearly always Bokmål
  if (language == "in") language = "id";  // the code of Indonesian until 1989
  if (!file_of(language).empty()) {
    add_built_in(rules, language);
  } else {
    add_built_in(rules, script_of_locale(locale));
  }
  return rules;
}

TokenRules rules_of_file(std::string_view text, const std::string& name,
                         const std::string& locale) {
  TokenRules unused;
  RuleFile file(unused, name);
  file.read(text);
  TokenRules rules = rules_of_all(file.style(), locale);
  add_token_rules(rules, text, name);
  return rules;
}

}  // namespace elmo
