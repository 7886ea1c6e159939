// Rule files, and their patterns and signs.
#include "io/text/segment/token_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/segmenter.h"
#include "tests/io/text/segment/languages.h"

namespace elmo {
namespace {

using Match = WordPatterns::Match;

/// Returns the match of `patterns` in a folded word: its kind, then the cuts.
std::string matched(const WordPatterns& patterns, std::u32string_view word) {
  WordPatterns::Cuts cuts;
  const Match match = patterns.match(word, cuts);
  if (match == Match::none) return "none";
  std::string text = match == Match::whole ? "whole" : match == Match::end ? "end" : "beginning";
  for (const std::uint8_t cut : cuts) text += ' ' + std::to_string(cut);
  return text;
}

WordPatterns patterns_of(const std::vector<std::u32string_view>& list) {
  WordPatterns patterns;
  for (const std::u32string_view pattern : list) REQUIRE(patterns.add(pattern).empty());
  return patterns;
}

std::string problem_of(std::u32string_view pattern) { return WordPatterns().add(pattern); }

TokenRules rules_of(std::string_view text, TokenStyle style = TokenStyle::ud) {
  TokenRules rules;
  rules.style = style;
  add_token_rules(rules, text, "rules.txt");
  return rules;
}

/// Returns the error for an invalid rule file.
std::string fault_of(const std::string& text) {
  try {
    rules_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string fault(int line, const std::string& found, const std::string& expected) {
  return "rules.txt: line " + std::to_string(line) + ": found " + found + "; expected " + expected +
         "; fix the rule file";
}

}  // namespace

TEST_CASE("a pattern without stars matches only the whole word") {
  const WordPatterns patterns = patterns_of({U"can|not", U"whad|d|ya", U"o'clock"});
  CHECK(matched(patterns, U"cannot") == "whole 3");
  CHECK(matched(patterns, U"whaddya") == "whole 4 5");
  CHECK(matched(patterns, U"o'clock") == "whole");
  for (const std::u32string_view word : {U"cannots", U"acannot", U"canno", U"c", U""}) {
    CHECK(matched(patterns, word) == "none");
  }
}

TEST_CASE("each star matches a character, and the outer one further ones") {
  const WordPatterns patterns = patterns_of({U"*|'s", U"***|nya", U"re-*", U"l'|**"});
  CHECK(matched(patterns, U"a's") == "end 1");
  CHECK(matched(patterns, U"john's") == "end 4");
  CHECK(matched(patterns, U"'s") == "none");
  CHECK(matched(patterns, U"bukunya") == "end 4");
  CHECK(matched(patterns, U"abcnya") == "end 3");
  CHECK(matched(patterns, U"abnya") == "none");
  CHECK(matched(patterns, U"re-do") == "beginning");
  CHECK(matched(patterns, U"re-") == "none");
  CHECK(matched(patterns, U"l'homme") == "beginning 2");
  CHECK(matched(patterns, U"l'a") == "none");
}

TEST_CASE("the whole word precedes the longest end, which precedes the longest beginning") {
  const WordPatterns patterns =
      patterns_of({U"*|er", U"*|mer", U"co|mer", U"ab|*", U"abc|*", U"abx|er"});
  CHECK(matched(patterns, U"comer") == "whole 2");
  CHECK(matched(patterns, U"sumer") == "end 2");
  CHECK(matched(patterns, U"suber") == "end 3");
  CHECK(matched(patterns, U"mer") == "end 1");
  CHECK(matched(patterns, U"abcd") == "beginning 3");
  CHECK(matched(patterns, U"abd") == "beginning 2");
  CHECK(matched(patterns, U"abxer") == "whole 3");
  CHECK(matched(patterns, U"abcer") == "end 3");
}

TEST_CASE("patterns ignore case, kinds of apostrophes and hyphens, and the values of digits") {
  const WordPatterns patterns =
      patterns_of({U"DO|N\u2019T", U"\u00c9T|\u00c9", U"00|H|00", U"E\u2010*"});
  std::u32string word;
  for (const char32_t character : U"Do\u02BcnT") {
    if (character != 0) word += fold_character(character);
  }
  CHECK(word == U"do'nt");
  CHECK(matched(patterns, U"don't") == "whole 2");
  CHECK(matched(patterns, U"\u00e9t\u00e9") == "whole 2");
  CHECK(matched(patterns, U"00h00") == "whole 2 3");
  CHECK(matched(patterns, U"e-mail") == "beginning");
}

TEST_CASE("characters are folded") {
  for (const char32_t apostrophe :
       {U'\'', U'\u2019', U'\u2018', U'\u02BC', U'\uFF07', U'\u1FBD', U'\u1FBF'}) {
    CHECK(fold_character(apostrophe) == U'\'');
  }
  for (const char32_t hyphen : {U'-', U'\u2010', U'\u2011'}) CHECK(fold_character(hyphen) == U'-');
  for (const char32_t same : {U'\u2013', U'"', U'a', U'\u00df', U'\U0001F600', U'.'}) {
    CHECK(fold_character(same) == same);
  }
  for (const char32_t sign : {U'`', U'\u00B4', U'\u02B9', U'\u2032', U'\u201B'}) {
    CHECK(is_apostrophe_between_letters(sign));
    CHECK(fold_character(sign) == sign);
  }
  CHECK_FALSE(is_apostrophe_between_letters(U'"'));
  CHECK(fold_character(U'7') == U'0');
  CHECK(fold_character(U'Z') == U'z');
  CHECK(fold_character(U'\u0416') == U'\u0436');
}

TEST_CASE("longer words match no pattern") {
  const WordPatterns patterns = patterns_of({U"*|nya", U"re-*"});
  const std::u32string most(WordPatterns::kMaxCharacters - 3, U'x');
  CHECK(matched(patterns, most + U"nya") == "end 45");
  CHECK(matched(patterns, U"x" + most + U"nya") == "none");
  CHECK(matched(patterns, U"re-x" + most) == "none");
}

TEST_CASE("invalid patterns are refused") {
  const std::string ends = "stars at one end only";
  CHECK(problem_of(U"*a*") == ends);
  CHECK(problem_of(U"a*b") == "characters, with " + ends);
  CHECK(problem_of(U"*a*b") == "characters, with " + ends);
  for (const std::u32string_view pattern : {U"", U"*", U"***", U"|", U"*|", U"|*", U"*|*"}) {
    CHECK_FALSE(problem_of(pattern).empty());
  }
  CHECK(problem_of(U"a") == "two characters or more");
  CHECK(problem_of(U"*a") == "two characters or more beside the stars");
  CHECK(problem_of(U"*a|b|c") == "one | in a pattern with stars");
  CHECK(problem_of(std::u32string(48, U'a')).empty());
  CHECK(problem_of(std::u32string(49, U'a')) == "at most 48 characters");
  CHECK(problem_of(U"*" + std::u32string(49, U'a')) == "at most 48 characters");
  CHECK_FALSE(problem_of(std::u32string(256, U'*') + U"ab").empty());
}

TEST_CASE("a cut without characters on both sides is refused") {
  for (const std::u32string_view pattern :
       {U"|ab", U"ab|", U"a||b", U"|ab*", U"*ab|", U"a|b|", U"|", U"||"}) {
    CHECK_FALSE(problem_of(pattern).empty());
  }
  CHECK(problem_of(U"*|ab").empty());
  CHECK(problem_of(U"ab|*").empty());
  CHECK(problem_of(U"a|b").empty());
}

TEST_CASE("patterns need signs if every pattern contains one") {
  CHECK(WordPatterns().need_signs());
  CHECK(patterns_of({U"*|'s", U"re-*", U"00|h"}).need_signs());
  CHECK_FALSE(patterns_of({U"*|'s", U"can|not"}).need_signs());
}

TEST_CASE("a set of signs holds any code points") {
  SignSet signs;
  CHECK_FALSE(signs.contains(U'\0'));
  for (const char32_t sign : {U'-', U'\u00b7', U'\U0001F600', U'\u00b7'}) signs.add(sign);
  for (const char32_t sign : {U'-', U'\u00b7', U'\U0001F600'}) CHECK(signs.contains(sign));
  for (const char32_t sign : {U'.', U'\u00b8', U'\u0080', U'\U0001F601'}) {
    CHECK_FALSE(signs.contains(sign));
  }
}

TEST_CASE("each key sets its rule") {
  const TokenRules rules = rules_of(
      "# A comment\n\n"
      "split: do|n't\tcan|not\r\n"
      "keep: o'clock\n"
      "join: km/h\n"
      "between-letters: ' .\n"
      "between-letters: \xc2\xb7 -\n"
      "between-digits: ,\n"
      "between-mixed: _\n"
      "before-letters: #\n"
      "before-digits: +\n"
      "after-letters: ~\n"
      "after-digits: ^\n"
      "single: !\n"
      "apostrophe: split\n"
      "dictionary: no\n"
      "cut-weights: 1l\u306f=-0.5\n"
      "contractions: du=de|le\n"
      "units: km\n"
      "full-stop-apart: yes\n"
      "digit-groups: yes\n"
      "ordinals: yes\n"
      "roman-ordinals: yes\n"
      "after-ordinal: Mai\n"
      "before-ordinal: der\n"
      "sentence-openers: Das\n"
      "  abbreviations:   Dr. z.B.  \n"
      "abbreviations: usw.\n"
      "final-abbreviations: etc.\n"
      "inner-abbreviations: nov.\n"
      "number-abbreviations: No.\n"
      "name-abbreviations: \u0433.\n"
      "headings: Art.\n"
      "after-quotation: \u3068\n"
      "final-endings: \xec\x9a\x94\n"
      "final-before-capital: ;\n"
      "final-signs: : ::\n"
      "inner-signs: .\n"
      "emoticons: :) :'-( ;)\n"
      "domains: org\n"
      "style: ud");
  CHECK(matched(rules.split, U"cannot") == "whole 3");
  CHECK(matched(rules.split, U"don't") == "whole 2");
  CHECK(matched(rules.keep, U"o'clock") == "whole");
  CHECK(matched(rules.join, U"km/h") == "whole");
  CHECK(rules.between_letters.contains(U'\u00b7'));
  CHECK(rules.between_letters.contains(U'-'));
  CHECK_FALSE(rules.between_letters.contains(U'.'));  // the later line replaces the earlier one
  CHECK(rules.between_digits.contains(U','));
  CHECK(rules.between_mixed.contains(U'_'));
  CHECK(rules.before_letters.contains(U'#'));
  CHECK(rules.before_digits.contains(U'+'));
  CHECK(rules.after_letters.contains(U'~'));
  CHECK(rules.single.contains(U'!'));
  CHECK(rules.apostrophe == Apostrophe::split);
  CHECK_FALSE(rules.dictionary);
  CHECK(rules.full_stop_apart);
  CHECK(rules.digit_groups);
  CHECK(rules.ordinals);
  CHECK(rules.after_ordinal == TokenRules::Words{"Mai"});
  CHECK(rules.abbreviations == TokenRules::Words{"Dr", "z.B", "usw"});
  CHECK(rules.final_abbreviations == TokenRules::Words{"etc"});
  CHECK(rules.inner_abbreviations == TokenRules::Words{"nov"});
  CHECK(rules.number_abbreviations == TokenRules::Words{"No"});
  CHECK(rules.name_abbreviations == TokenRules::Words{"\u0433"});
  CHECK(rules.headings == TokenRules::Words{"Art"});
  CHECK(rules.before_ordinal == TokenRules::Words{"der"});
  CHECK(rules.sentence_openers == TokenRules::Words{"Das"});
  CHECK(rules.roman_ordinals);
  CHECK(rules.units == TokenRules::Words{"km"});
  CHECK(rules.after_digits.contains(U'^'));
  CHECK(rules.cut_weights[U"1l\u306f"] == -0.5F);
  CHECK(rules.contractions.words_of("du") == std::vector<std::string>{"de", "le"});
  CHECK(rules.spaced_abbreviations.match("z", "B.").whole == "z.B");
  CHECK(rules.spaced_abbreviations.match("z", " B. x").size == 3);
  CHECK(rules.spaced_abbreviations.match("z", " C.").whole.empty());
  CHECK(rules.final_endings.end("\xec\x95\x84\xec\x9a\x94"));
  CHECK_FALSE(rules.final_endings.end("\xec\x9a\x94"));
  CHECK(rules.after_quotation.begin("\u3068\u8a00"));
  CHECK_FALSE(rules.after_quotation.begin("\u8a00\u3068"));
  CHECK(rules.final_before_capital.contains(U';'));
  CHECK(rules.final_signs == TokenRules::Words{":", "::"});
  CHECK(rules.inner_signs == TokenRules::Words{"."});
  CHECK(rules.emoticons.contains(U":'-("));
  CHECK(rules.emoticons.sizes(U':').to_string() == "00000000000010100");
  CHECK(rules.emoticons.sizes(U'x').none());
  CHECK(rules.domains == std::unordered_set<std::u32string>{U"org"});
}

TEST_CASE("keys that are not set keep their rule") {
  const TokenRules rules = rules_of("");
  CHECK(rules.dictionary);
  CHECK_FALSE(rules.full_stop_apart);
  CHECK_FALSE(rules.digit_groups);
  CHECK_FALSE(rules.ordinals);
  CHECK(rules.apostrophe == Apostrophe::keep);
  CHECK(rules.abbreviations.empty());
}

TEST_CASE("sections of the other style are ignored") {
  const std::string text =
      "abbreviations: a.\n[ud]\nabbreviations: b.\nsingle: !\n[moses]\nabbreviations: c.\n[ud]\n"
      "abbreviations: d.\n";
  CHECK(rules_of(text).abbreviations == TokenRules::Words{"a", "b", "d"});
  CHECK(rules_of(text).single.contains(U'!'));
  CHECK(rules_of(text, TokenStyle::moses).abbreviations == TokenRules::Words{"a", "c"});
  CHECK_FALSE(rules_of(text, TokenStyle::moses).single.contains(U'!'));
  CHECK(fault_of("[moses]\nsingle: a\n") ==
        fault(2, "'a'", "single signs separated by blanks, or none"));
}

// The Moses tokenizer's tokens must stay as they are: words for ud alone stand after [ud]. Moses
// style keeps a full stop inside a word by itself.
TEST_CASE("the number of Moses abbreviations is unchanged") {
  using Sizes = std::array<std::ptrdiff_t, 4>;  // all, final, inner and number abbreviations
  const std::map<std::string_view, Sizes> expected = {
      {"Arab", {2, 0, 0, 0}},  {"Cyrl", {9, 0, 7, 0}}, {"Deva", {6, 0, 0, 0}},
      {"Latn", {8, 5, 0, 0}},  {"bg", {27, 0, 8, 0}},  {"ca", {24, 3, 0, 0}},
      {"cs", {45, 4, 0, 0}},   {"da", {32, 4, 4, 1}},  {"de", {99, 5, 0, 3}},
      {"el", {29, 3, 0, 0}},   {"en", {68, 0, 0, 14}}, {"es", {50, 6, 0, 1}},
      {"et", {30, 7, 3, 1}},   {"eu", {14, 2, 0, 0}},  {"fi", {44, 9, 0, 1}},
      {"fr", {26, 6, 8, 2}},   {"ga", {8, 5, 0, 1}},   {"gl", {26, 3, 0, 0}},
      {"hr", {33, 2, 5, 0}},   {"hu", {43, 7, 0, 0}},  {"id", {36, 8, 0, 0}},
      {"it", {40, 5, 0, 0}},   {"lt", {47, 3, 4, 1}},  {"lv", {24, 3, 5, 2}},
      {"nb", {30, 4, 4, 1}},   {"nl", {42, 4, 0, 1}},  {"nn", {29, 4, 4, 1}},
      {"pl", {58, 6, 0, 0}},   {"pt", {51, 6, 0, 2}},  {"ro", {37, 3, 0, 0}},
      {"root", {25, 0, 0, 5}}, {"ru", {44, 0, 17, 0}}, {"sk", {43, 5, 0, 0}},
      {"sl", {36, 5, 5, 0}},   {"sr", {42, 3, 6, 0}},  {"sv", {26, 4, 0, 0}},
      {"tr", {25, 6, 0, 0}},   {"uk", {32, 0, 12, 1}}, {"vi", {16, 3, 0, 0}}};
  const auto simple = [](const TokenRules::Words& words) {
    return std::ranges::count_if(
        words, [](const std::string& word) { return word.find('.') == std::string::npos; });
  };
  for (const LanguageFile& file : kLanguageFiles) {
    CAPTURE(file.name);
    const TokenRules rules = rules_of(file.text, TokenStyle::moses);
    const Sizes sizes = {simple(rules.abbreviations), simple(rules.final_abbreviations),
                         simple(rules.inner_abbreviations), simple(rules.number_abbreviations)};
    const auto found = expected.find(file.name);
    CHECK(sizes == (found == expected.end() ? Sizes{} : found->second));
  }
}

TEST_CASE("none empties a set of signs") {
  TokenRules rules = rules_of("before-letters: # @\n");
  add_token_rules(rules, "before-letters: none\n", "rules.txt");
  CHECK_FALSE(rules.before_letters.contains(U'#'));
}

TEST_CASE("invalid rules are named with their line and the value expected") {
  const std::string values = "values separated by blanks";
  const std::string line = "KEY: VALUES, [ud], [moses], or # and a comment";
  const std::string signs = "single signs separated by blanks, or none";
  CHECK(fault_of("word\n") == fault(1, "'word'", line));
  CHECK(fault_of("\n# x\nword\n") == fault(3, "'word'", line));
  CHECK(fault_of("split:\n") == fault(1, "no value of 'split'", values));
  CHECK(fault_of("split: \t\r\n") == fault(1, "no value of 'split'", values));
  CHECK(fault_of("[icu]\n") == fault(1, "'[icu]'", "[ud] or [moses]"));
  CHECK(fault_of("[ud\n") == fault(1, "'[ud'", "[ud] or [moses]"));
  CHECK(fault_of("split: cannot\n") ==
        fault(1, "the pattern 'cannot'", "a | where the word is split, as in do|n't"));
  CHECK(fault_of("keep: *a*\n") == fault(1, "the pattern '*a*'", "stars at one end only"));
  CHECK(fault_of("single: ab\n") == fault(1, "'ab'", signs));
  CHECK(fault_of("single: 1\n") == fault(1, "'1'", signs));
  CHECK(fault_of("single: e\xcc\x81\n") == fault(1, "'e\xcc\x81'", signs));
  for (const std::string value : {":;", "a", "1", "\xef\xb8\x8f"}) {
    CHECK(fault_of("final-signs: " + value + "\n") ==
          fault(1, "'" + value + "'", "signs, or runs of one sign, separated by blanks"));
  }
  CHECK(fault_of("abbreviations: Dr. Mr\n") == fault(1, "'Mr'", "a full stop at its end"));
  CHECK(fault_of("final-abbreviations: .\n") == fault(1, "'.'", "a full stop at its end"));
  CHECK(fault_of("domains: .org\n") ==
        fault(1, "'.org'", "the part after the last full stop of host names, as in com"));
  CHECK(fault_of("emoticons: \xef\xb8\x8f\n") ==
        fault(1, "'\xef\xb8\x8f'", "emoticons of 1 to 16 characters, separated by blanks"));
  CHECK(fault_of("apostrophe: both\n") ==
        fault(1, "'both' for apostrophe", "one of keep, left, right, split"));
  CHECK(fault_of("apostrophe: keep left\n") ==
        fault(1, "'left' for apostrophe", "one of keep, left, right, split"));
  CHECK(fault_of("ordinals: maybe\n") == fault(1, "'maybe' for ordinals", "yes or no"));
  CHECK(fault_of("ordinals: yes no\n") == fault(1, "'no' for ordinals", "yes or no"));
  CHECK(fault_of("style: icu\n") == fault(1, "'icu' for style", "one of ud, moses"));
  CHECK(fault_of("Split: a|b\n")
            .starts_with("rules.txt: line 1: found the key 'Split'; expected split, keep, join, "
                         "between-letters, "));
}

TEST_CASE("the list of expected keys is complete") {
  const std::string message = fault_of("x: y\n");
  std::string keys = message.substr(message.find("; expected ") + 11);
  keys = keys.substr(0, keys.find("; fix"));
  std::vector<std::string> names;
  for (std::size_t at = 0; at < keys.size();) {
    const std::size_t end = std::min(keys.find_first_of(", ", at), keys.size());
    const std::string name = keys.substr(at, end - at);
    if (!name.empty() && name != "or") names.push_back(name);
    at = end + 1;
  }
  CHECK(names.size() == 37);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(fault_of(name + ": y\n").find("the key") == std::string::npos);
  }
}

TEST_CASE("a rule file is UTF-8, perhaps with a byte order mark and blanks around its keys") {
  CHECK(rules_of("\xef\xbb\xbf"
                 "abbreviations : Dr.\n")
            .abbreviations == TokenRules::Words{"Dr"});
  CHECK(fault_of("# fine\n# caf\xe9\n") == fault(2, "invalid UTF-8", "UTF-8"));
  CHECK(fault_of("abbreviations: caf\xe9.\n") == fault(1, "invalid UTF-8", "UTF-8"));
}

TEST_CASE("control characters and blanks of Unicode are refused in rules") {
  CHECK(fault_of(std::string("keep: a\0b\n", 10)) == fault(1, "a control character", "text"));
  const std::string blank = "a no-break space or another blank of Unicode";
  CHECK(fault_of("keep: ab\u00a0cd\n") == fault(1, blank, "values separated by plain spaces"));
  CHECK(fault_of("keep:\u3000ab\n") == fault(1, blank, "values separated by plain spaces"));
  CHECK(fault_of("# a\u00a0comment\nkeep: ab\n").empty());
}

TEST_CASE("messages shorten long values") {
  const std::string long_text(1U << 20U, 'x');
  for (const std::string& text :
       {long_text, long_text + ": y", "keep: " + long_text, "[" + long_text,
        "keep: " + std::string(1000, '\t') + long_text, "abbreviations: " + std::string(250, 'x'),
        "single: " + std::string(250, 'x')}) {
    const std::string message = fault_of(text + "\n");
    CHECK_FALSE(message.empty());
    CHECK(message.size() < 1200);
  }
}

TEST_CASE("emoticons are found by size, for any number of them") {
  std::string text = "emoticons:";
  for (int number = 0; number < 20000; ++number) text += " :" + std::to_string(100000 + number);
  const TokenRules rules = rules_of(text);
  CHECK(rules.emoticons.sizes(U':').count() == 1);
  CHECK(rules.emoticons.contains(U":100000"));
  CHECK(rules.emoticons.contains(U":119999"));
}

TEST_CASE("a user's file replaces the language's and sets its style") {
  CHECK(rules_of_file("", "rules.txt", "de").style == TokenStyle::ud);
  const TokenRules rules =
      rules_of_file("style: moses\nabbreviations: xyz.\n[ud]\nsingle: !\n", "rules.txt", "de");
  CHECK(rules.style == TokenStyle::moses);
  CHECK(rules.abbreviations.contains("xyz"));
  CHECK_FALSE(rules.single.contains(U'!'));
  CHECK_FALSE(rules.inner_abbreviations.contains("Ziff"));
  CHECK_FALSE(rules.final_abbreviations.contains("usw"));  // in de.txt
  CHECK(rules.domains.contains(U"org"));                   // in all.txt
  CHECK_THROWS_AS(rules_of_file("x\n", "rules.txt", "de"), InputError);
}

TEST_CASE("every line of the languages' files is a rule, in either style") {
  CHECK(kLanguageFiles.size() > 15);
  for (const LanguageFile& file : kLanguageFiles) {
    CAPTURE(std::string(file.name));
    for (const TokenStyle style : {TokenStyle::ud, TokenStyle::moses}) {
      TokenRules rules;
      rules.style = style;
      CHECK_NOTHROW(add_token_rules(rules, file.text, std::string(file.name)));
    }
  }
}

TEST_CASE("each language has a tokenizer of either style, at least with its script's rules") {
  std::vector<std::string> languages = languages_with_rules();
  CHECK(std::ranges::is_sorted(languages));
  for (const char* known : {"en", "de", "fr", "ko", "ja", "zh"}) {
    CHECK(std::ranges::find(languages, known) != languages.end());
  }
  for (const char* other : {"", "th", "ar", "he", "hi", "el", "pl", "uk", "pt-BR", "zh-Hant"}) {
    languages.emplace_back(other);
  }
  for (const std::string& language : languages) {
    CAPTURE(language);
    for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
      const auto segmenter = make_segmenter({kind, language});
      CHECK(segmenter->tokens_of("1 2").size() == 2);
    }
  }
  const std::string portuguese = canonical_locale("pt-BR");
  CHECK(rules_of_locale(TokenStyle::ud, portuguese).abbreviations.contains("Sra"));
  for (const auto& [other, usual] : {std::pair("no", "nb"), {"no_NO", "nb"}, {"in", "id"}}) {
    CHECK(rules_of_locale(TokenStyle::ud, other).abbreviations ==
          rules_of_locale(TokenStyle::ud, usual).abbreviations);
  }
  CHECK(rules_of_locale(TokenStyle::ud, "be").inner_abbreviations.contains("др"));  // in Cyrl.txt
  CHECK(rules_of_locale(TokenStyle::ud, "sw").final_abbreviations.contains("Jr"));  // in Latn.txt
  CHECK_FALSE(rules_of_locale(TokenStyle::ud, "ar").final_abbreviations.contains("Jr"));
}

}  // namespace elmo
