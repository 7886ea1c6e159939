// Words and sentences. Expectations are plain pairs of a text and its tokens.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/segmenter.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

std::string tokens_of(std::string_view text, const std::string& locale = kRootLocale) {
  const auto segmenter = make_segmenter({TokenizerKind::icu, locale});
  std::string tokens;
  for (const TextRange& token : segmenter->tokens_of(text)) {
    if (!tokens.empty()) tokens += '|';
    tokens += text.substr(token.begin, token.end - token.begin);
  }
  return tokens;
}

/// Returns the sentences of a text, in brackets.
std::string sentences_of(std::string_view text, const std::string& locale = kRootLocale) {
  const auto segmenter = make_segmenter({TokenizerKind::icu, locale});
  segmenter->set_text(text);
  std::string sentences;
  std::size_t begin = 0;
  for (std::size_t end = segmenter->next().end; end != Segmenter::npos;
       end = segmenter->next().end) {
    sentences.append("[").append(text.substr(begin, end - begin)).append("]");
    begin = end;
  }
  return sentences;
}

}  // namespace

TEST_CASE("words, numbers, symbols and punctuation are tokens, white space is not") {
  CHECK(tokens_of("It's 3.14 and 1,000; e-mail to me (50% off)!") ==
        "It's|3.14|and|1,000|;|e|-|mail|to|me|(|50|%|off|)|!");
  CHECK(tokens_of("") == "");
  CHECK(tokens_of(" \t\n\r\v\f\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000") == "");
  CHECK(tokens_of("a\u00a0b\u3000c\u2028d\u0085e") == "a|b|c|d|e");
  CHECK(tokens_of("<S> </S>") == "<|S|>|<|/|S|>");
}

TEST_CASE("a narrow no-break space joins digits and is dropped beside a word") {
  CHECK(tokens_of("10\u202f000 Oui\u202f!") == "10\u202f000|Oui|!");
  CHECK(tokens_of("\u202fmot\u202f") == "mot");
}

TEST_CASE("control and invisible characters are not tokens") {
  CHECK(tokens_of("a\0b\x01\x02 c\x7f"sv) == "a|b|c");
  CHECK(tokens_of("\ufeff a \u200b b \u2060 \u200e \u200d") == "a|b");
  CHECK(tokens_of("\x01\u0308 \u0308") == "\u0308|\u0308");
  CHECK(tokens_of("co\u00adop") == "co\u00adop");
  CHECK(tokens_of("\ufffd \ue000 \u06dd") == "\ufffd|\ue000|\u06dd");
}

TEST_CASE("combining and full-width characters") {
  CHECK(tokens_of("e\u0301te\u0301 \u1100\u1161\u11a8") == "e\u0301te\u0301|\u1100\u1161\u11a8");
  CHECK(tokens_of("\uff21\uff22\uff23 \uff11\uff12\uff01") ==
        "\uff21\uff22\uff23|\uff11\uff12|\uff01");
}

TEST_CASE("emoji sequences are one token each") {
  const std::string family = "\U0001f468\u200d\U0001f469\u200d\U0001f467";
  const std::string thumb = "\U0001f44d\U0001f3fd";
  const std::string flags = "\U0001f1e9\U0001f1ea|\U0001f1eb\U0001f1f7";
  const std::string scotland =
      "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f";
  CHECK(tokens_of(family + thumb + "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7" + scotland) ==
        family + "|" + thumb + "|" + flags + "|" + scotland);
}

TEST_CASE("scripts written from right to left") {
  CHECK(tokens_of("שלום, עולם!") == "שלום|,|עולם|!");
  CHECK(tokens_of("צה\"ל") == "צה\"ל");
  CHECK(tokens_of("السلام عليكم، 123") == "السلام|عليكم|،|123");
}

TEST_CASE("dictionaries find words by script, in every locale") {
  for (const std::string locale : {kRootLocale, "en", "th", "ja"}) {
    CHECK(tokens_of("สวัสดีชาวโลก", locale) == "สวัสดี|ชาว|โลก");
    CHECK(tokens_of("東京都に住んでいます。", locale) == "東京|都|に|住|んで|い|ます|。");
    CHECK(tokens_of("ພາສາລາວ", locale) == "ພາສາ|ລາວ");
  }
}

TEST_CASE("a locale changes the rules that ICU tailors for it") {
  CHECK(tokens_of("USA:n") == "USA|:|n");
  CHECK(tokens_of("USA:n", canonical_locale("fi")) == "USA:n");
  CHECK(sentences_of("Γιατί; Έτσι.") == "[Γιατί; Έτσι.]");
  CHECK(sentences_of("Γιατί; Έτσι.", canonical_locale("el")) == "[Γιατί; ][Έτσι.]");
}

TEST_CASE("locales have many names, and unknown ones are refused") {
  CHECK(canonical_locale("") == "root");
  CHECK(canonical_locale("und") == "root");
  CHECK(canonical_locale("pt-BR") == "pt_BR");
  CHECK(canonical_locale("pt_BR") == "pt_BR");
  CHECK(canonical_locale("zh-Hant-TW") == "zh_Hant_TW");
  for (const char* name : {"pt-BR", "zh-Hant-TW", "de-1996", "de-u-co-phonebk", "en-x-foo", "no"}) {
    const std::string locale = canonical_locale(name);  // as models and runs store it
    CHECK(canonical_locale(locale) == locale);
  }
  for (const char* name : {"xx", "C", "en us", "en_US.UTF-8", "-", "\xff", "de@", "@x=y", "de__"}) {
    CHECK_THROWS_AS(canonical_locale(name), RequestError);
  }
  InputOptions options;
  options.tokenizer.locale = "nonsense";
  CHECK_THROWS_AS(read_text("x", options), RequestError);
  CHECK_THROWS_AS(describe_tokenizer(options), RequestError);
}

TEST_CASE("abbreviations do not end sentences, whether or not a locale is given") {
  for (const std::string locale : {kRootLocale, "en", "en_GB"}) {
    CAPTURE(locale);
    for (const char* sentence :
         {"Mr. Smith went to Washington.", "Dr. Who met Mrs. Peel and Prof. X in St. Ives.",
          "The U.S. Army came at 5 p.m. Monday.", "J. R. R. Tolkien and J.R.R. Tolkien.",
          "Things (e.g. Tea, i.e. Camellia sinensis) vs. Coffee.", "A Ph.D. Student on Jan. 5.",
          "Mr.\u00a0Smith.", "\"Mr. Smith\"."}) {
      CHECK(sentences_of(sentence, locale) == std::string("[").append(sentence).append("]"));
    }
  }
}

TEST_CASE("words that only end like an abbreviation end sentences") {
  CHECK(sentences_of("He joined NATO. Then he left.") == "[He joined NATO. ][Then he left.]");
  CHECK(sentences_of("The FBI. No, the BBC. Yes.") == "[The FBI. ][No, the BBC. ][Yes.]");
  CHECK(sentences_of("So it was. He sat. Why? \"Yes!\" Good.") ==
        "[So it was. ][He sat. ][Why? ][\"Yes!\" ][Good.]");
  CHECK(sentences_of("Solve for x. Then stop.") == "[Solve for x. ][Then stop.]");
  CHECK(sentences_of("Mr.\u2029Smith") == "[Mr.\u2029][Smith]");
}

TEST_CASE("each language has its own abbreviations") {
  CHECK(sentences_of("Um 300 n. Chr. Wurde es still.", "de") == "[Um 300 n. Chr. Wurde es still.]");
  CHECK(sentences_of("Tiere, z.B. Affen, usf.", "de") == "[Tiere, z.B. Affen, usf.]");
  CHECK(sentences_of("Die Str. Ist lang.", "de") == "[Die Str. Ist lang.]");
  CHECK(sentences_of("Die Str. Ist lang.", "en") == "[Die Str. ][Ist lang.]");
  CHECK(sentences_of("На ул. Ленина. Там.") == "[На ул. Ленина. ][Там.]");
  CHECK(sentences_of("А. С. Пушкин писал. Да.") == "[А. С. Пушкин писал. ][Да.]");
  CHECK(sentences_of("Mr. Smith.", "fi") == "[Mr. ][Smith.]");
}

TEST_CASE("a reference in brackets does not end a sentence") {
  for (const char* locale : {"root", "de", "ko"}) {
    CHECK(sentences_of("(Peters et al.) Elmo [A et al.] It. We.", locale) ==
          "[(Peters et al.) Elmo [A et al.] It. ][We.]");
    CHECK(sentences_of("(He met al.) Then", locale) == "[(He met al.) ][Then]");
  }
}

TEST_CASE("without abbreviations every full stop counts") {
  Boundaries sentences(BoundaryKind::sentence, kRootLocale);
  sentences.set_text("Mr. Smith.");
  CHECK(sentences.next() == 4);
  CHECK(sentences.next() == 10);
  CHECK(sentences.next() == Boundaries::npos);
}

TEST_CASE("the description has everything that determines the tokens") {
  InputOptions options;
  const TokenizerDescription root = describe_tokenizer(options);
  CHECK(root.name == "icu");
  CHECK(root.locale == "root");
  CHECK_FALSE(root.icu_version.empty());
  CHECK_FALSE(root.unicode_version.empty());
  CHECK(to_string(root) == "icu " + root.icu_version + ", Unicode " + root.unicode_version +
                               ", locale root, rules " + std::to_string(root.revision));
  options.tokenizer.locale = "de";
  CHECK(describe_tokenizer(options) != root);
  options.tokenizer.locale.clear();
  options.lines = true;
  CHECK(describe_tokenizer(options).name == "icu-lines");
  options.format = InputFormat::tokens;
  options.tokenizer.locale = "not looked at";
  CHECK(to_string(describe_tokenizer(options)) == "white-space, rules 2");
  options.format = InputFormat::conllu;
  CHECK(describe_tokenizer(options).name == "conllu");
}

}  // namespace elmo
