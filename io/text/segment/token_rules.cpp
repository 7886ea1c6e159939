#include "io/text/segment/token_rules.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
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
  using Values = std::vector<std::string>;

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
    Values words;
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
  void set(std::string_view key, const Values& values) {
    const std::span<const Key> known = keys();
    const auto found = std::ranges::find(known, key, &Key::name);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Key& each : known) names.emplace_back(each.name);
      fail("the key " + in_quotes(key), alternatives(std::move(names)));
    }
    key_ = key;
    TokenRules unused;
    (this->*found->set)(counts_ ? rules_ : unused, values);
  }

  /// A key, and the function that sets its rule.
  struct Key {
    std::string_view name;
    void (RuleFile::*set)(TokenRules& rules, const Values& values);
  };

  static std::span<const Key> keys();

  /// Adds each value to a member, by `add`.
  template <auto member, auto add>
  void each(TokenRules& rules, const Values& values) {
    for (const std::string& value : values) (this->*add)(rules.*member, value);
  }

  /// Replaces a set of signs.
  template <auto member>
  void signs(TokenRules& rules, const Values& values) {
    rules.*member = {};
    each<member, &RuleFile::add_sign>(rules, values);
  }

  /// Adds abbreviations to a member, and those of several parts.
  template <auto member>
  void abbreviations(TokenRules& rules, const Values& values) {
    each<member, &RuleFile::add_with_full_stop>(rules, values);
    if (rules.style != TokenStyle::ud) return;
    for (const std::string& value : values) {
      rules.spaced_abbreviations.add(without_full_stop(value));
    }
  }

  template <auto member>
  void yes_or_no(TokenRules& rules, const Values& values) {
    if (values.size() > 1 || (values.front() != "yes" && values.front() != "no")) {
      fail(in_quotes(values.back()) + " for " + std::string(key_), "yes or no");
    }
    rules.*member = values.front() == "yes";
  }

  void set_apostrophe(TokenRules& rules, const Values& values) {
    rules.apostrophe = choice(kApostrophes, values);
  }

  void set_style(TokenRules& /*rules*/, const Values& values) {
    style_ = choice(kTokenStyles, values);
  }

  template <typename Enum, std::size_t size>
  Enum choice(const EnumTable<Enum, size>& table, const Values& values) const {
    const std::optional<Enum> value = table.find(values.front());
    if (!value || values.size() > 1) {
      fail(in_quotes(values.back()) + " for " + std::string(key_), "one of " + table.words());
    }
    return *value;
  }

  void add_pattern(WordPatterns& patterns, const std::string& value) {
    const std::string problem = patterns.add(characters_of(value));
    if (!problem.empty()) fail("the pattern " + in_quotes(value), problem);
  }

  void add_split(WordPatterns& patterns, const std::string& value) {
    add_pattern(patterns, value);
    if (value.find('|') == std::string::npos) {
      fail("the pattern " + in_quotes(value), "a | where the word is split, as in do|n't");
    }
  }

  void add_sign(SignSet& signs, const std::string& value) {
    if (value == "none") return;
    const std::u32string characters = characters_of(value);
    if (characters.size() != 1 || u_isalnum(static_cast<UChar32>(characters.front()))) {
      fail(in_quotes(value), "single signs separated by blanks, or none");
    }
    signs.add(fold_character(characters.front()));
  }

  void add_run(TokenRules::Words& runs, const std::string& value) {
    const std::u32string characters = characters_of(value);
    const char32_t first = characters.empty() ? U'a' : characters.front();
    if (characters.find_first_not_of(first) != std::u32string::npos ||
        u_isalnum(static_cast<UChar32>(first))) {
      fail(in_quotes(value), "signs, or runs of one sign, separated by blanks");
    }
    runs.insert(composed(value));
  }

  void add_word(TokenRules::Words& words, const std::string& value) {
    words.insert(composed(value));
  }

  void add_with_full_stop(TokenRules::Words& words, const std::string& value) {
    words.insert(without_full_stop(value));
  }

  std::string without_full_stop(const std::string& value) const {
    if (value.size() < 2 || value.back() != '.') fail(in_quotes(value), "a full stop at its end");
    return composed(std::string_view(value).substr(0, value.size() - 1));
  }

  void add_affix(Affixes& affixes, const std::string& value) {
    if (value.size() > Affixes::kMaxBytes) fail(in_quotes(value), "at most 64 bytes");
    affixes.add(composed(value));
  }

  void add_weight(CutWeights& weights, const std::string& value) {
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

  void add_contraction(Contractions& contractions, const std::string& value) {
    const std::string problem = contractions.add(value);
    if (!problem.empty()) fail("the contraction " + in_quotes(value), problem);
  }

  void add_emoticon(Emoticons& emoticons, const std::string& value) {
    const std::u32string characters = without_marks(characters_of(value));
    if (characters.empty() || characters.size() > Emoticons::kMaxCharacters) {
      fail(in_quotes(value), "emoticons of 1 to 16 characters, separated by blanks");
    }
    emoticons.add(characters);
  }

  void add_domain(std::unordered_set<std::u32string>& domains, const std::string& value) {
    std::u32string characters = without_marks(characters_of(value));
    std::ranges::transform(characters, characters.begin(), fold_character);
    if (characters.empty() || characters.find(U'.') != std::u32string::npos) {
      fail(in_quotes(value), "the part after the last full stop of host names, as in com");
    }
    domains.insert(characters);
  }

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw InputError(name_ + ": line " + std::to_string(line_) + ": found " + excerpt(found) +
                     "; expected " + expected + "; fix the rule file");
  }

  TokenRules& rules_;
  const std::string& name_;
  std::size_t line_ = 0;
  bool counts_ = true;
  std::string_view key_;
  TokenStyle style_ = TokenStyle::ud;
};

std::span<const RuleFile::Key> RuleFile::keys() {
  using Rules = TokenRules;
  using File = RuleFile;
  static constexpr Key kKeys[] = {
      {"split", &File::each<&Rules::split, &File::add_split>},
      {"keep", &File::each<&Rules::keep, &File::add_pattern>},
      {"join", &File::each<&Rules::join, &File::add_pattern>},
      {"between-letters", &File::signs<&Rules::between_letters>},
      {"between-digits", &File::signs<&Rules::between_digits>},
      {"between-mixed", &File::signs<&Rules::between_mixed>},
      {"before-letters", &File::signs<&Rules::before_letters>},
      {"before-digits", &File::signs<&Rules::before_digits>},
      {"after-letters", &File::signs<&Rules::after_letters>},
      {"after-digits", &File::signs<&Rules::after_digits>},
      {"units", &File::each<&Rules::units, &File::add_word>},
      {"single", &File::signs<&Rules::single>},
      {"apostrophe", &File::set_apostrophe},
      {"dictionary", &File::yes_or_no<&Rules::dictionary>},
      {"cut-weights", &File::each<&Rules::cut_weights, &File::add_weight>},
      {"contractions", &File::each<&Rules::contractions, &File::add_contraction>},
      {"full-stop-apart", &File::yes_or_no<&Rules::full_stop_apart>},
      {"digit-groups", &File::yes_or_no<&Rules::digit_groups>},
      {"ordinals", &File::yes_or_no<&Rules::ordinals>},
      {"roman-ordinals", &File::yes_or_no<&Rules::roman_ordinals>},
      {"before-ordinal", &File::each<&Rules::before_ordinal, &File::add_word>},
      {"after-ordinal", &File::each<&Rules::after_ordinal, &File::add_word>},
      {"sentence-openers", &File::each<&Rules::sentence_openers, &File::add_word>},
      {"abbreviations", &File::abbreviations<&Rules::abbreviations>},
      {"final-abbreviations", &File::abbreviations<&Rules::final_abbreviations>},
      {"inner-abbreviations", &File::abbreviations<&Rules::inner_abbreviations>},
      {"number-abbreviations", &File::abbreviations<&Rules::number_abbreviations>},
      {"name-abbreviations", &File::abbreviations<&Rules::name_abbreviations>},
      {"headings", &File::each<&Rules::headings, &File::add_with_full_stop>},
      {"final-endings", &File::each<&Rules::final_endings, &File::add_affix>},
      {"final-signs", &File::each<&Rules::final_signs, &File::add_run>},
      {"final-before-capital", &File::signs<&Rules::final_before_capital>},
      {"inner-signs", &File::each<&Rules::inner_signs, &File::add_run>},
      {"after-quotation", &File::each<&Rules::after_quotation, &File::add_affix>},
      {"emoticons", &File::each<&Rules::emoticons, &File::add_emoticon>},
      {"domains", &File::each<&Rules::domains, &File::add_domain>},
      {"style", &File::set_style},
  };
  return kKeys;
}

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
