#include "io/text/segment/token_rules.h"

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "io/text/segment/abbreviations.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the characters of valid UTF-8.
std::u32string characters_of(std::string_view text) {
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
      for (std::size_t next = 0; next < line.size();) {
        if (next_code_point(line, next) < 0) fail("invalid UTF-8", "UTF-8");
      }
      read_line(without_outer_blanks(line));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// The style that the file sets.
  TokenStyle style() const { return style_; }

 private:
  void read_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (line.front() == '[') return begin_section(line);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      fail("'" + std::string(line) + "'", "KEY: VALUES, [ud], [moses], or # and a comment");
    }
    const std::string_view key = without_outer_blanks(line.substr(0, colon));
    std::string_view values = line.substr(colon + 1);
    std::vector<std::string> words;
    for (;;) {
      values = without_outer_blanks(values);
      if (values.empty()) break;
      const std::size_t end = std::min(values.find_first_of(" \t"), values.size());
      words.emplace_back(values.substr(0, end));
      values.remove_prefix(end);
    }
    if (words.empty()) fail("no value of '" + std::string(key) + "'", "values separated by blanks");
    set(key, words);
  }

  void begin_section(std::string_view line) {
    const std::optional<TokenStyle> style =
        line.ends_with(']') ? kTokenStyles.find(line.substr(1, line.size() - 2)) : std::nullopt;
    if (!style) fail("'" + std::string(line) + "'", "[ud] or [moses]");
    counts_ = *style == rules_.style;
  }

  /// Sets a key. Values of sections that do not apply are also checked.
  void set(std::string_view key, const std::vector<std::string>& values) {
    TokenRules unused;
    TokenRules& rules = counts_ ? rules_ : unused;
    if (WordPatterns* patterns = patterns_of(rules, key)) {
      for (const std::string& value : values) {
        const std::string problem = patterns->add(characters_of(value));
        if (!problem.empty()) fail("the pattern '" + value + "'", problem);
        if (patterns == &rules.split && value.find('|') == std::string::npos) {
          fail("the pattern '" + value + "'", "a | where the word is split, as in do|n't");
        }
      }
    } else if (SignSet* signs = signs_of(rules, key)) {
      *signs = {};
      for (const std::string& value : values) add_sign(*signs, value);
    } else if (TokenRules::Words* words = words_of(rules, key)) {
      for (const std::string& value : values) words->insert(without_full_stop(key, value));
    } else if (key == "domains") {
      for (const std::string& value : values) rules.domains.insert(domain(value));
    } else if (key == "apostrophe") {
      rules.apostrophe = choice(kApostrophes, key, values);
    } else if (key == "dictionary") {
      rules.dictionary = yes_or_no(key, values);
    } else if (key == "full-stop-apart") {
      rules.full_stop_apart = yes_or_no(key, values);
    } else if (key == "final-endings") {
      rules.final_endings.insert(rules.final_endings.end(), values.begin(), values.end());
    } else if (key == "digit-groups") {
      rules.digit_groups = yes_or_no(key, values);
    } else if (key == "ordinals") {
      rules.ordinals = yes_or_no(key, values);
    } else if (key == "emoticons") {
      for (const std::string& value : values) rules.emoticons.push_back(emoticon(value));
      std::ranges::stable_sort(rules.emoticons, std::ranges::greater{}, &std::u32string::size);
    } else if (key == "style") {
      style_ = choice(kTokenStyles, key, values);
    } else {
      fail("the key '" + std::string(key) + "'",
           "split, keep, join, between-letters, between-digits, between-mixed, before-letters, "
           "before-digits, after-letters, single, apostrophe, dictionary, full-stop-apart, "
           "digit-groups, ordinals, after-ordinal, abbreviations, final-abbreviations, "
           "inner-abbreviations, number-abbreviations, final-endings, final-before-capital, "
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
    if (key == "final-before-capital") return &rules.final_before_capital;
    return key == "single" ? &rules.single : nullptr;
  }

  static TokenRules::Words* words_of(TokenRules& rules, std::string_view key) {
    if (key == "after-ordinal") return &rules.after_ordinal;
    if (key == "abbreviations") return &rules.abbreviations;
    if (key == "final-abbreviations") return &rules.final_abbreviations;
    if (key == "inner-abbreviations") return &rules.inner_abbreviations;
    return key == "number-abbreviations" ? &rules.number_abbreviations : nullptr;
  }

  void add_sign(SignSet& signs, const std::string& value) const {
    if (value == "none") return;
    const std::u32string characters = characters_of(value);
    if (characters.size() != 1 || u_isalnum(static_cast<UChar32>(characters.front()))) {
      fail("'" + value + "'", "single signs separated by blanks, or none");
    }
    signs.add(fold_character(characters.front()));
  }

  std::u32string emoticon(const std::string& value) const {
    const std::u32string characters = without_marks(characters_of(value));
    if (characters.empty()) fail("'" + value + "'", "emoticons separated by blanks");
    return characters;
  }

  std::u32string domain(const std::string& value) const {
    std::u32string characters = without_marks(characters_of(value));
    std::ranges::transform(characters, characters.begin(), fold_character);
    if (characters.empty() || characters.find(U'.') != std::u32string::npos) {
      fail("'" + value + "'", "the part behind the last full stop of host names, as in com");
    }
    return characters;
  }

  std::string without_full_stop(std::string_view key, const std::string& value) const {
    if (!key.ends_with("abbreviations")) return value;
    if (value.size() < 2 || value.back() != '.') fail("'" + value + "'", "a full stop at its end");
    return value.substr(0, value.size() - 1);
  }

  template <typename Enum, std::size_t size>
  Enum choice(const EnumTable<Enum, size>& table, std::string_view key,
              const std::vector<std::string>& values) const {
    const std::optional<Enum> value = table.find(values.front());
    if (!value || values.size() > 1) {
      fail("'" + values.back() + "' for " + std::string(key), "one of " + table.words());
    }
    return *value;
  }

  bool yes_or_no(std::string_view key, const std::vector<std::string>& values) const {
    if (values.size() > 1 || (values.front() != "yes" && values.front() != "no")) {
      fail("'" + values.back() + "' for " + std::string(key), "yes or no");
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
    if (word.ends_with('.')) rules.abbreviations.insert(word.substr(0, word.size() - 1));
  }
  return rules;
}

}  // namespace

void SignSet::add(char32_t sign) {
  if (sign < kAscii) {
    ascii_.set(sign);
  } else if (!contains(sign)) {
    others_ += sign;
  }
}

char32_t fold_character(char32_t character) {
  if (character < 0x80) {
    if (character >= '0' && character <= '9') return '0';
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
  }
  if (character == 0x2019 || character == 0x2018 || character == 0x02BC || character == 0xFF07) {
    return '\'';
  }
  if (character == 0x2010 || character == 0x2011) return '-';
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
}

std::size_t WordPatterns::filter_bit(std::u32string_view two) {
  return (two[0] * 61 + two[1]) % kFilterBits;
}

std::string WordPatterns::add(std::u32string_view pattern) {
  const std::size_t first = std::min(pattern.find_first_not_of(U'*'), pattern.size());
  const std::size_t last = pattern.find_last_not_of(U'*') + 1;
  const std::size_t stars_before = first;
  const std::size_t stars_behind = last < first ? 0 : pattern.size() - last;
  if (stars_before > 0 && stars_behind > 0) return "stars at one end only";
  std::u32string letters;
  Cuts cuts;
  for (const char32_t character : pattern) {
    if (character == '*' || is_mark(character)) continue;
    if (character == '|') {
      cuts.push_back(static_cast<std::uint8_t>(letters.size()));
    } else {
      letters += fold_character(character);
    }
  }
  if (letters.empty() || pattern.substr(first, last - first).find(U'*') != std::u32string::npos) {
    return "characters, with stars at one end only";
  }
  if (letters.size() > kMaxCharacters || std::max(stars_before, stars_behind) > kMaxCharacters) {
    return "at most " + std::to_string(kMaxCharacters) + " characters";
  }
  // The stars match text on one side of the outer cut.
  const std::size_t least = stars_before > 0 ? 0 : 1;
  const std::size_t most = letters.size() - (stars_behind > 0 ? 0 : 1);
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    const std::size_t before = cut == 0 ? least : cuts[cut - 1] + std::size_t{1};
    if (cuts[cut] < before || cuts[cut] > most) return "characters at both sides of each |";
  }
  if (stars_before == 0 && stars_behind == 0) {
    if (letters.size() < 2) return "two characters or more";
    whole_[letters] = cuts;
    last_two_.set(filter_bit(std::u32string_view(letters).substr(letters.size() - 2)));
  } else {
    if (cuts.size() > 1) return "one | in a pattern with stars";
    if (letters.size() < 2) return "two characters or more beside the stars";
    Part part;
    part.stars = static_cast<std::uint8_t>(std::max(stars_before, stars_behind));
    part.has_cut = !cuts.empty();
    if (stars_before > 0) {
      if (part.has_cut) part.cut = static_cast<std::uint8_t>(letters.size() - cuts[0]);
      ends_[letters] = part;
      longest_end_ = std::max(longest_end_, letters.size());
      last_two_.set(filter_bit(std::u32string_view(letters).substr(letters.size() - 2)));
    } else {
      if (part.has_cut) part.cut = cuts[0];
      beginnings_[letters] = part;
      longest_beginning_ = std::max(longest_beginning_, letters.size());
      first_two_.set(filter_bit(letters));
    }
  }
  need_signs_ = need_signs_ && std::ranges::any_of(letters, [](char32_t c) {
                  return !u_isalpha(static_cast<UChar32>(c));
                });
  return "";
}

WordPatterns::Match WordPatterns::match(std::u32string_view word, Cuts& cuts) const {
  if (word.size() < 2 || word.size() > kMaxCharacters) return Match::none;
  if (last_two_[filter_bit(word.substr(word.size() - 2))]) {
    if (const auto found = whole_.find(word); found != whole_.end()) {
      cuts = found->second;
      return Match::whole;
    }
    for (std::size_t size = std::min(longest_end_, word.size() - 1); size >= 2; --size) {
      const auto found = ends_.find(word.substr(word.size() - size));
      if (found == ends_.end() || word.size() - size < found->second.stars) continue;
      cuts.clear();
      if (found->second.has_cut) {
        cuts.push_back(static_cast<std::uint8_t>(word.size() - found->second.cut));
      }
      return Match::end;
    }
  }
  if (first_two_[filter_bit(word)]) {
    for (std::size_t size = std::min(longest_beginning_, word.size() - 1); size >= 2; --size) {
      const auto found = beginnings_.find(word.substr(0, size));
      if (found == beginnings_.end() || word.size() - size < found->second.stars) continue;
      cuts.clear();
      if (found->second.has_cut) cuts.push_back(found->second.cut);
      return Match::beginning;
    }
  }
  return Match::none;
}

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
