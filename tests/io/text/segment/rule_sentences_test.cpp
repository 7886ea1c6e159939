// Sentences of texts whose tokens follow rules.
#include "io/text/segment/rule_sentences.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "io/text/segment/segmenter.h"

namespace elmo {
namespace {

/// The sentences of a text, each in brackets and as it is written.
std::string ruled(std::string_view text, const std::string& locale = "",
                  TokenizerKind kind = TokenizerKind::ud) {
  const auto segmenter = make_segmenter({kind, locale});
  segmenter->set_text(text);
  std::string sentences;
  for (;;) {
    const Segmenter::Sentence sentence = segmenter->next();
    if (sentence.end == Segmenter::npos) return sentences;
    if (sentence.tokens.empty()) continue;
    const std::size_t begin = sentence.tokens.front().begin;
    sentences += '[';
    sentences += text.substr(begin, sentence.tokens.back().end - begin);
    sentences += ']';
  }
}

bool is_one_sentence(std::string_view text, const std::string& locale = "",
                     TokenizerKind kind = TokenizerKind::ud) {
  return ruled(text, locale, kind) == std::string("[").append(text).append("]");
}

}  // namespace

TEST_CASE("rules: full stops, question and exclamation marks end sentences") {
  CHECK(ruled("It rains. Does it? Yes! OK") == "[It rains.][Does it?][Yes!][OK]");
  CHECK(ruled("Wait... Then go.") == "[Wait...][Then go.]");
  CHECK(ruled("He said… Nothing.") == "[He said…][Nothing.]");
  CHECK(ruled("Really?! No.") == "[Really?!][No.]");
  CHECK(ruled("").empty());
  CHECK(ruled(" \n ").empty());
}

TEST_CASE("rules: a small letter continues a sentence behind a full stop only") {
  CHECK(is_one_sentence("He paused... and went on."));
  CHECK(ruled("What? said he.") == "[What?][said he.]");
  CHECK(is_one_sentence("Hm., he said"));
}

TEST_CASE("rules: no sentence ends in an address or a number") {
  for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
    CHECK(ruled("See http://a.org/x?A.B!Cd. Dd", "", kind) == "[See http://a.org/x?A.B!Cd.][Dd]");
    CHECK(is_one_sentence("See http://a.org/x?A.B!C now", "en", kind));
    CHECK(is_one_sentence("Mail Me.You@Host.COM now", "en", kind));
    CHECK(is_one_sentence("It is 3.5 or 1.000.000 to 10.30 now", "en", kind));
  }
  CHECK(ruled("Go to www.x.org. Then stop.", "en") == "[Go to www.x.org.][Then stop.]");
}

TEST_CASE("rules: no sentence ends with an abbreviation, an initial or an ordinal") {
  for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
    for (const char* text :
         {"Mr. Smith met Dr. Who.", "J. R. R. Tolkien wrote.", "The U.S. Army came.",
          "Things (e.g. Tea) and i.e. Coffee.", "See No. 5 of it."}) {
      CAPTURE(text);
      CHECK(is_one_sentence(text, "en", kind));
    }
  }
  CHECK(is_one_sentence("Am 13. März und 20. Jahrhundert.", "de"));
  CHECK(is_one_sentence("Das ist z.B. Herr Dr. Müller.", "de"));
  CHECK(ruled("Er wurde 3. Sie kam.", "de") == "[Er wurde 3.][Sie kam.]");
  CHECK(is_one_sentence("На ул. Ленина им. Пушкина.", "ru"));
  CHECK(ruled("Was No. Then it was.", "en") == "[Was No.][Then it was.]");
}

TEST_CASE("rules: some abbreviations may end a sentence") {
  CHECK(ruled("He works at X Inc. The firm grew.", "en") == "[He works at X Inc.][The firm grew.]");
  CHECK(is_one_sentence("At X Inc. he works.", "en"));
  CHECK(ruled("Äpfel usw. Dann kam er.", "de") == "[Äpfel usw.][Dann kam er.]");
}

TEST_CASE("rules: a sentence ends behind closing quotation marks, brackets and references") {
  CHECK(ruled("\"It rains.\" He left.") == "[\"It rains.\"][He left.]");
  CHECK(ruled("(It rains.) He left.") == "[(It rains.)][He left.]");
  CHECK(ruled("“It rains!” “No.” So") == "[“It rains!”][“No.”][So]");
  CHECK(ruled("It rains.[6] He left.[12][13] So", "en") == "[It rains.[6]][He left.[12][13]][So]");
  CHECK(ruled("\"It rains.\"[6] He left.", "en") == "[\"It rains.\"[6]][He left.]");
  CHECK(is_one_sentence("It rains.[a] he", "en"));
  CHECK(ruled("``It rains . '' He left .", "en") == "[``It rains . ''][He left .]");
  CHECK(is_one_sentence("\"It rains.\" said he", "en"));
}

TEST_CASE("rules: an emoticon may end a sentence") {
  CHECK(ruled("Nice :-) We went home :) and slept.", "en") ==
        "[Nice :-)][We went home :) and slept.]");
}

TEST_CASE("rules: the number of an item ends no sentence") {
  CHECK(is_one_sentence("1. Open it.", "en"));
  CHECK(ruled("1. Open it. 2. Close it.", "en") == "[1. Open it.][2. Close it.]");
}

TEST_CASE("rules: East Asian terminators need no blank") {
  CHECK(ruled("東京。大阪！京都", "ja") == "[東京。][大阪！][京都]");
  CHECK(ruled("「東京。」大阪", "ja") == "[「東京。」][大阪]");
  CHECK(ruled("我来。你呢？好", "zh", TokenizerKind::moses) == "[我来。][你呢？][好]");
}

TEST_CASE("rules: Korean endings end sentences without a sign") {
  CHECK(ruled("학교에 갔어요 집에 왔습니다 그래서", "ko") ==
        "[학교에 갔어요][집에 왔습니다][그래서]");
  CHECK(is_one_sentence("요 학교", "ko"));
  CHECK(is_one_sentence("갔어요, 집에", "ko"));
}

TEST_CASE("rules: a dash may begin speech behind a sentence") {
  CHECK(ruled("Er kam. – Ja, sagte sie. - Nein.", "de") == "[Er kam.][– Ja, sagte sie.][- Nein.]");
  CHECK(is_one_sentence("Er kam. – und ging", "de"));
  CHECK(ruled("Er rief. ,,Nein!\" Sie", "de") == "[Er rief.][,,Nein!\"][Sie]");
}

TEST_CASE("rules: a blank may be missing behind a full stop") {
  CHECK(ruled("It ended.Then it began.", "en") == "[It ended.][Then it began.]");
  CHECK(is_one_sentence("See file.Txt and U.S.Army", "en") == false);
  CHECK(ruled("Ended!Then", "en") == "[Ended!][Then]");
}

TEST_CASE("rules: other scripts have terminators of their own") {
  CHECK(ruled("यह है। वह है।", "hi") == "[यह है।][वह है।]");
  CHECK(ruled("هل؟ نعم.", "ar") == "[هل؟][نعم.]");
}

TEST_CASE("rules: a sentence of many closing signs or blanks is one") {
  const std::string closers(10'000, ')');
  CHECK(ruled("Yes." + closers + " No") == "[Yes." + closers + "][No]");
  CHECK(ruled("Yes." + std::string(10'000, ' ') + "No") == "[Yes.][No]");
}

}  // namespace elmo
