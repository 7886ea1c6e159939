// Tokens by the rules of a language. Expectations are plain pairs of a text and its tokens.
#include "io/text/segment/rule_tokens.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/segment/icu.h"
#include "io/text/segment/segmenter.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

std::string joined_tokens(std::string_view text, Segmenter& segmenter) {
  std::string tokens;
  for (const TextRange& token : segmenter.tokens_of(text)) {
    if (!tokens.empty()) tokens += '|';
    tokens += text.substr(token.begin, token.end - token.begin);
  }
  return tokens;
}

std::string ud(std::string_view text, const std::string& locale = "") {
  return joined_tokens(text, *make_segmenter({TokenizerKind::ud, locale}));
}

std::string moses(std::string_view text, const std::string& locale = "") {
  return joined_tokens(text, *make_segmenter({TokenizerKind::moses, locale}));
}

std::string by_file(std::string_view text, const std::string& rules) {
  return joined_tokens(text, *make_segmenter({TokenizerKind::file, "", rules}));
}

/// Returns the kinds of a text's tokens, one letter each.
std::string kinds_of(std::string_view text, const std::string& locale) {
  const TokenRules rules = rules_of_locale(TokenStyle::ud, locale);
  RuleTokens tokens;
  make_rule_tokenizer(rules, locale)->tokenize(text, tokens);
  std::string kinds;
  for (const RuleToken& token : tokens) kinds += "wnsafoue"[static_cast<std::size_t>(token.kind)];
  return kinds;
}

}  // namespace

TEST_CASE("ud: contractions and clitics are tokens of their own") {
  CHECK(ud("I don't know.", "en") == "I|do|n't|know|.");
  CHECK(ud("Can't we? You cannot; CANNOT!", "en") == "Ca|n't|we|?|You|can|not|;|CAN|NOT|!");
  CHECK(ud("it's John's, the dogs' and they'll I'd we've", "en") ==
        "it|'s|John|'s|,|the|dogs|'|and|they|'ll|I|'d|we|'ve");
  CHECK(ud("We gonna go, gimme that.", "en") == "We|gon|na|go|,|gim|me|that|.");
  CHECK(ud("five o'clock, ma'am", "en") == "five|o'clock|,|ma'am");
  CHECK(ud("l'homme qu'il jusqu'à aujourd'hui", "fr") == "l'|homme|qu'|il|jusqu'|à|aujourd'hui");
  CHECK(ud("donne-t-il, dit-elle; rendez-vous", "fr") == "donne|-t-il|,|dit|-elle|;|rendez-vous");
  CHECK(ud("dell'arte un po' di un'altra", "it") == "dell'|arte|un|po'|di|un'|altra");
  CHECK(ud("bukunya pergilah akhirnya", "id") == "buku|nya|pergi|lah|akhirnya");
  CHECK(ud("quedarse hacerlo charlas", "es") == "quedar|se|hacer|lo|charlas");
  CHECK(ud("ao mar d'água", "pt") == "a|o|mar|d'|água");
  CHECK(ud("'t huis zo'n foto's", "nl") == "'t|huis|zo'n|foto's");
}

TEST_CASE("ud: typographic apostrophes and hyphens count as plain ones") {
  CHECK(ud("don’t John’s “x” ‘y’", "en") == "do|n’t|John|’s|“|x|”|‘|y|’");
  CHECK(ud("l’homme aujourd’hui", "fr") == "l’|homme|aujourd’hui");
  CHECK(ud("donne‐t‐il", "fr") == "donne|‐t‐il");
  CHECK(ud("F‑16", "fr") == "F‑16");
  CHECK(ud("l\u02bchomme, l\u02bchomme", "fr") == "l\u02bc|homme|,|l\u02bc|homme");
}

TEST_CASE("ud: addresses are one token, without the signs after them") {
  for (const std::string locale : {"", "en", "de", "fr", "ko", "ja"}) {
    CAPTURE(locale);
    CHECK(ud("See https://example.com/a(b)?q=1&r=2, (http://x.org/y).", locale) ==
          "See|https://example.com/a(b)?q=1&r=2|,|(|http://x.org/y|)|.");
    CHECK(ud("Mail a.b-c+d@mail.host.co.uk!", locale) == "Mail|a.b-c+d@mail.host.co.uk|!");
    CHECK(ud("www.example.xyz, example.com. x.org:80/a", locale) ==
          "www.example.xyz|,|example.com|.|x.org:80/a");
    CHECK(ud("<http://a.b>\"http://c.d\"", locale) == "<|http://a.b|>|\"|http://c.d|\"");
  }
}

TEST_CASE("ud: numbers keep the signs between their digits") {
  CHECK(ud("3,36 3.14 1,000.5 10:30 1/2 50% $5 -5", "en") ==
        "3,36|3.14|1,000.5|10:30|1/2|50|%|$|5|-|5");
  CHECK(ud("R$ 5 10.000", "pt") == "R$|5|10.000");
  CHECK(ud("1~2 2008년 10월 3.5kg", "ko") == "1~2|2008년|10월|3.5kg");
  CHECK(ud("1990–1995, 1980-luvun", "fi") == "1990–1995|,|1980-luvun");
  CHECK(ud("80 000 hommes, 1 234 567,5; 2008 100", "fr") ==
        "80 000|hommes|,|1 234 567,5|;|2008|100");
  CHECK(ud("80\u00a0000 80\u202f000 80\t000 80  000", "fr") ==
        "80\u00a0000|80\u202f000|80|000|80|000");
  CHECK(ud("80 000", "en") == "80|000");
  CHECK(ud("by .5 percent (.25) Wait...5", "en") == "by|.5|percent|(|.25|)|Wait|...|5");
  CHECK(ud("10h30", "fr") == "10|h|30");
}

TEST_CASE("ud: abbreviations keep their full stop") {
  CHECK(ud("Dr. Smith of the U.S. said e.g. this.", "en") ==
        "Dr.|Smith|of|the|U.S.|said|e.g.|this|.");
  CHECK(ud("No. 5 No. It is 5 p.m. No.", "en") == "No.|5|No|.|It|is|5|p.m.|No|.");
  CHECK(ud("J. R. R. Tolkien. Plan b. X", "en") == "J.|R.|R.|Tolkien|.|Plan|b|.|X");
  CHECK(ud("z.B. Dr. Müller usw. Ende.", "de") == "z.B.|Dr.|Müller|usw.|Ende|.");
  CHECK(ud("av. J.-C. et", "fr") == "av.|J.-C.|et");
  CHECK(ud("Dr. Budi, Jl. Itu", "id") == "Dr|.|Budi|,|Jl|.|Itu");
  CHECK(ud("в 2008 г. он", "ru") == "в|2008|г.|он");
  CHECK(ud("DR. X, dr. x", "en") == "DR.|X|,|dr|.|x");
  CHECK(ud("Cf. Fig. 3, VOL. 4", "en") == "Cf.|Fig.|3|,|VOL|.|4");
  CHECK(ud("On Wed. or Sat. and Sun. 5. In the Sun.", "en") ==
        "On|Wed.|or|Sat.|and|Sun.|5|.|In|the|Sun|.");
}

TEST_CASE("ud: ordinals keep their full stop before a small letter or a known word") {
  CHECK(ud("13. März 2010, der 3. große Tag, 20. Jahrhundert", "de") ==
        "13.|März|2010|,|der|3.|große|Tag|,|20.|Jahrhundert");
  CHECK(ud("Am 5. Das. Platz 3.", "de") == "Am|5|.|Das|.|Platz|3|.");
  CHECK(ud("Im Jahr 2010. aber", "de") == "Im|Jahr|2010.|aber");
  CHECK(ud("3. helmikuuta", "fi") == "3.|helmikuuta");
  CHECK(ud("3. march", "en") == "3|.|march");
}

TEST_CASE("ud: runs of one sign are one token") {
  CHECK(ud("Wait... what -- no!! ???  ?! —— == ,,", "en") ==
        "Wait|...|what|--|no|!!|???|?!|——|==|,,");
  CHECK(ud("((x)) [[y]] \"\"", "en") == "(|(|x|)|)|[|[|y|]|]|\"|\"");
  CHECK(ud("Ja!! Was??", "de") == "Ja|!|!|Was|?|?");
  CHECK(ud("a…b", "en") == "a|…|b");
}

TEST_CASE("ud: emoticons, emoji, hashtags and users") {
  CHECK(ud("Hi :-) :) ;-)) <3 :D :( ^^ xD", "en") == "Hi|:-)|:)|;-))|<3|:D|:(|^^|xD");
  CHECK(ud("nice:) (a:b) 10:3 x:D", "en") == "nice|:)|(|a|:|b|)|10:3|x|:|D");
  CHECK(ud("#tag @user # 5", "en") == "#tag|@user|#|5");
  const std::string family = "\U0001f468\u200d\U0001f469\u200d\U0001f467";
  const std::string thumb = "\U0001f44d\U0001f3fd";
  const std::string keycap = "1\ufe0f\u20e3";
  for (const std::string locale : {"", "ko", "ja", "th"}) {
    for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
      CAPTURE(locale);
      const auto segmenter = make_segmenter({kind, locale});
      CHECK(
          joined_tokens(family + thumb + "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", *segmenter) ==
          family + "|" + thumb + "|\U0001f1e9\U0001f1ea|\U0001f1eb\U0001f1f7");
      CHECK(joined_tokens("\U0001f600\U0001f600 " + keycap, *segmenter) ==
            "\U0001f600|\U0001f600|" + keycap);
    }
  }
}

TEST_CASE("ud: each language has its hyphens") {
  CHECK(ud("well-known e-mail 24-year-old F-16", "en") ==
        "well|-|known|e-mail|24|-|year|-|old|F|-|16");
  CHECK(ud("US-Präsident 24-jährige", "de") == "US|-|Präsident|24-jährige");
  CHECK(ud("in- en uitvoer, 24-jarige", "nl") == "in-|en|uitvoer|,|24-jarige");
  CHECK(ud("EU:n touko-/kesäkuussa -listalla", "fi") == "EU:n|touko-/kesäkuussa|-listalla");
  CHECK(ud("EU:s in- och", "sv") == "EU:s|in-|och");
  CHECK(ud("서울-부산", "ko") == "서울-부산");
  CHECK(ud("кто-то 1990-е", "ru") == "кто-то|1990-е");
  CHECK(ud("kura-kura", "id") == "kura-kura");
  CHECK(ud("C++とe-mail", "ja") == "C++|と|e|-|mail");
}

TEST_CASE("ud: dictionaries find words by script, in every locale but Korean") {
  for (const std::string locale : {"", "en", "th", "ja", "zh"}) {
    CAPTURE(locale);
    CHECK(ud("สวัสดีชาวโลก", locale) == "สวัสดี|ชาว|โลก");
    if (locale != "ja") {
      CHECK(ud("東京都に住んでいます。", locale) == "東京|都|に|住|んで|い|ます|。");
    }
    CHECK(ud("ພາສາລາວ 2.5", locale) == "ພາສາ|ລາວ|2.5");
    CHECK(ud("iPhone買う3年", locale) == "iPhone|買う|3|年");
  }
  CHECK(ud("東京都に住んでいます。", "ja") == "東京|都|に|住ん|で|い|ます|。");
  CHECK(ud("東京都は서울", "ko") == "東京都は서울");
  CHECK(ud("สวัสดีชาวโลก", "ko") == "สวัสดี|ชาว|โลก");
  CHECK(moses("東京都に住む。", "ja") == "東京都に住む|。");
}

TEST_CASE("words of any script are tokens") {
  for (const std::string kind : {"ud", "moses"}) {
    CAPTURE(kind);
    const auto segmenter = make_segmenter({*kTokenizerKinds.find(kind), ""});
    CHECK(joined_tokens("השלום, עולם", *segmenter) == "השלום|,|עולם");
    CHECK(joined_tokens("السلام عليكم، 123", *segmenter) == "السلام|عليكم|،|123");
    CHECK(joined_tokens("क्षत्रिय है।", *segmenter) == "क्षत्रिय|है|।");
    CHECK(joined_tokens("Γιατί;", *segmenter) == "Γιατί|;");
  }
}

TEST_CASE("combining, full-width and invisible characters belong to a token, blanks to none") {
  for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
    const auto segmenter = make_segmenter({kind, ""});
    const auto tokens = [&](std::string_view text) { return joined_tokens(text, *segmenter); };
    CHECK(tokens("e\u0301te\u0301 \u1100\u1161\u11a8") == "e\u0301te\u0301|\u1100\u1161\u11a8");
    CHECK(tokens("\uff21\uff22\uff23 \uff11\uff12\uff01") ==
          "\uff21\uff22\uff23|\uff11\uff12|\uff01");
    CHECK(tokens("co\u00adop \u0308x") == "co\u00adop|\u0308|x");
    CHECK(tokens("a\0b\x01\x02 c\x7f d\u0085e"sv) == "a|b|c|d|e");
    CHECK(tokens("a\u200bb \u200e \u200d \u2060") == "a|b");
    CHECK(tokens("a\u2060b") == "a\u2060b");
    CHECK(tokens("a\u00a0b\u3000c\u2028d") == "a|b|c|d");
    CHECK(tokens("").empty());
    CHECK(tokens(" \t\n\r\v\f\u2003").empty());
    CHECK(tokens("\ufeff").empty());
    CHECK(tokens("\ufffd \ue000") == "\ufffd|\ue000");
  }
}

TEST_CASE("moses: the steps of its tokenizer") {
  CHECK(moses("I don't know, it's John's dogs'.", "en") ==
        "I|don|'t|know|,|it|'s|John|'s|dogs|'|.");
  CHECK(moses("The U.S. won 3/4, or 1,000.5 (50%)!", "en") ==
        "The|U.S.|won|3|/|4|,|or|1,000.5|(|50|%|)|!");
  CHECK(moses("e-mail well-known 1990s '90s", "en") == "e-mail|well-known|1990s|'|90s");
  CHECK(moses("l'homme aujourd'hui", "fr") == "l'|homme|aujourd'|hui");
  CHECK(moses("dell'arte", "it") == "dell'|arte");
  CHECK(moses("geht's", "de") == "geht|'|s");
  CHECK(moses("Teal'c") == "Teal|'c");
  CHECK(moses("Wait... what.. \"so\" -- ok!!", "en") == "Wait|...|what|..|\"|so|\"|--|ok|!|!");
  CHECK(moses("Mr. Smith. Dr. X no. 5", "en") == "Mr.|Smith|.|Dr.|X|no.|5");
  CHECK(moses("Pt. 5 and Nov. 5", "en") == "Pt|.|5|and|Nov.|5");
  CHECK(moses("a,b 1,2 1,b", "en") == "a|,|b|1,2|1|,|b");
  CHECK(moses("EU:n kello", "fi") == "EU:n|kello");
  CHECK(moses("http://a.b/c") == "http|:|/|/|a.b|/|c");
  CHECK(moses("x@y.z AT&T") == "x|@|y.z|AT|&|T");
  CHECK(moses("A–B “c”", "en") == "A|–|B|“|c|”");
  CHECK(moses("He left. she", "en") == "He|left.|she");
  CHECK(moses("He left. She left.", "en") == "He|left|.|She|left|.");
}

TEST_CASE("moses: abbreviations that only ud knows are not abbreviations") {
  struct Example {
    const char* locale;
    const char* text;
    const char* ud;
    const char* moses;
  };
  for (const Example& example : std::initializer_list<Example>{
           {"en", "Chap. 5, Rm. 7", "Chap.|5|,|Rm.|7", "Chap|.|5|,|Rm|.|7"},
           {"en", "Brig. Smith, Apt. C", "Brig.|Smith|,|Apt.|C", "Brig|.|Smith|,|Apt|.|C"},
           {"fr", "Sect. 5", "Sect.|5", "Sect|.|5"},
           {"nl", "hfst. 5", "hfst.|5", "hfst|.|5"},
           {"it", "Sez. 5", "Sez.|5", "Sez|.|5"},
           {"ru", "Табл. 5", "Табл.|5", "Табл|.|5"},
           {"sk", "MUDr. Eva", "MUDr.|Eva", "MUDr|.|Eva"},
           {"bn", "ইঞ্জি. ক", "ইঞ্জি.|ক", "ইঞ্জি|.|ক"}}) {
    CHECK(ud(example.text, example.locale) == example.ud);
    CHECK(moses(example.text, example.locale) == example.moses);
  }
}

TEST_CASE("ud: signs inside Armenian words") {
  CHECK(ud("Ինչպե՞ս ես։ Ո՞վ", "hy") == "Ինչպե՞ս|ես|։|Ո՞վ");
  CHECK(ud("Խ. Աբովյան 16-րդ", "hy") == "Խ|.|Աբովյան|16|-|րդ");
}

TEST_CASE("ud: brackets of treebanks are tokens") {
  CHECK(ud("-LRB- a -RRB-, -LSB- 1 -RSB-. -LCB- b -RCB-", "en") ==
        "-LRB-|a|-RRB-|,|-LSB-|1|-RSB-|.|-LCB-|b|-RCB-");
  CHECK(ud("-DOCSTART- -X-") == "-DOCSTART-|-|X|-");
  CHECK(ud("-LRB 5- -x-lrb-") == "-|LRB|5|-|-|x-lrb|-");
  CHECK(moses("-LRB- a -RRB- -DOCSTART-") == "-LRB-|a|-RRB-|-DOCSTART-");
}

TEST_CASE("kinds of tokens") {
  CHECK(kinds_of("A word, 5 e.g. etc. http://a.b :) x@y.z", "en") == "wwsnafueu");
  CHECK(kinds_of("13. März 1.234,5", "de") == "own");
  CHECK(kinds_of("80 000 -5", "fr") == "nw");
}

TEST_CASE("rules of a user's file are followed") {
  CHECK(by_file("a-b x's", "between-letters: none\nsplit: *|'s\njoin: x's\n") == "a|-|b|x|'s");
  CHECK(by_file("foobar", "split: foo|bar\n") == "foo|bar");
  CHECK(by_file("foobarbaz", "split: foo|bar|baz\n") == "foo|bar|baz");
  CHECK(by_file("aqbqc", "split: *|qc *|qb\n") == "a|qb|qc");
  CHECK(by_file("preabc", "split: pre|* ab|c\n") == "pre|ab|c");
  CHECK(by_file("x (( y", "emoticons: ((\n") == "x|((|y");
  CHECK(by_file("?!! !?", "single: !\n") == "?|!|!|!|?");
  CHECK(by_file("It's 3/4", "style: moses\napostrophe: right\n") == "It|'s|3|/|4");
  CHECK(by_file("It's 3/4", "style: ud\napostrophe: split\nbetween-letters: none\n") ==
        "It|'|s|3/4");
}

TEST_CASE("rules ignore kinds of apostrophes and hyphens and case, and compare composed letters") {
  CHECK(by_file("a'b a\u2019b", "between-letters: \u2019\n") == "a'b|a\u2019b");
  CHECK(by_file("a-b", "between-letters: \u2010\n") == "a-b");
  CHECK(by_file("x.abc/d y.DEF z.рф", "domains: ABC def РФ\n") == "x.abc/d|y.DEF|z.рф");
  CHECK(by_file("cafe\u0301x cafex", "split: cafe\u0301|x\n") == "cafe\u0301|x|cafex");
  CHECK(by_file("(\u263a) (\u263a\ufe0f)", "emoticons: (\u263a\ufe0f)\n") ==
        "(\u263a)|(\u263a\ufe0f)");
}

TEST_CASE("accents and primes between letters are apostrophes") {
  for (const std::string sign : {"\u00B4", "`", "\u2032", "\u02B9", "\u201B"}) {
    CHECK(ud("I don" + sign + "t.", "en") == "I|do|n" + sign + "t|.");
    CHECK(ud("L" + sign + "eau", "fr") == "L" + sign + "|eau");
    CHECK(ud("dell" + sign + "acqua", "it") == "dell" + sign + "|acqua");
  }
  CHECK(ud("``so'' `so` 5\u00B4 6\u2032", "en") == "``|so|''|`|so|`|5|\u00B4|6|\u2032");
  for (const std::string sign : {"\u1FBD", "\u1FBF", "\u2019"}) {
    CHECK(ud("ἀλλ" + sign + " ἐγώ", "grc") == "ἀλλ" + sign + "|ἐγώ");
    CHECK(ud("απ" + sign + " όλα", "el") == "απ" + sign + "|όλα");
  }
}

TEST_CASE("ud: a missing blank after a full stop does not join words") {
  CHECK(ud("It ended.Then it began", "en") == "It|ended|.|Then|it|began");
  CHECK(ud("file.txt v.Chr Node.js", "de") == "file.txt|v.Chr|Node.js");
}

}  // namespace elmo
