// Kinds of text that splitters often get wrong, in many languages. In a row of sentences, ⏎ is
// where one ends; in a row of words, a blank is where a token ends.
#include <doctest/doctest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "io/text/segment/segmenter.h"

namespace elmo {
namespace {

constexpr std::string_view kEnd = " ⏎";

struct Row {
  std::string locale;
  std::string expected;
};

/// Returns `text` without what marks the ends of sentences: " ⏎ " is a blank, " ⏎" alone nothing.
std::string without_ends(std::string text) {
  for (std::size_t at = text.find(kEnd); at != std::string::npos; at = text.find(kEnd, at)) {
    text.erase(at, kEnd.size());
  }
  return text;
}

/// Returns `text` with its sentences' ends marked in the same way.
std::string with_ends(std::string_view text, const std::string& locale) {
  const auto segmenter = make_segmenter({TokenizerKind::ud, locale});
  segmenter->set_text(text);
  std::string marked;
  std::size_t begin = 0;
  for (Segmenter::Sentence next = segmenter->next(); next.end != Segmenter::npos;
       next = segmenter->next()) {
    const std::size_t end = next.tokens.empty() ? next.end : next.tokens.back().end;
    if (begin > 0) marked += kEnd;
    marked += text.substr(begin, end - begin);
    begin = end;
  }
  return marked += text.substr(begin);
}

std::string words_of(std::string_view text, const std::string& locale) {
  const auto segmenter = make_segmenter({TokenizerKind::ud, locale});
  std::string words;
  for (const TextRange& token : segmenter->tokens_of(text)) {
    if (!words.empty()) words += ' ';
    words += text.substr(token.begin, token.end - token.begin);
  }
  return words;
}

void check_sentences_of(std::span<const Row> rows) {
  for (const auto& [locale, expected] : rows) {
    CAPTURE(locale);
    CHECK(with_ends(without_ends(expected), locale) == expected);
  }
}

struct Words {
  std::string locale;
  std::string text;
  std::string expected;
};

void check_words_of(std::span<const Words> rows) {
  for (const auto& [locale, text, expected] : rows) {
    CAPTURE(locale);
    CHECK(words_of(text, locale) == expected);
  }
}

std::string decomposed(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form_d = icu::Normalizer2::getNFDInstance(status);
  std::string result;
  form_d->normalize(icu::UnicodeString::fromUTF8(text), status).toUTF8String(result);
  return result;
}

}  // namespace

TEST_CASE("kinds: a remark in brackets does not end the sentence around it") {
  const Row rows[] = {
      {"de", "Das ist (wirklich!) gut."},
      {"en", "He came (!) with us."},
      {"fr", "Il a dit (vraiment ?) que non."},
      {"es", "Llegó (¡por fin!) a casa."},
      {"ru", "Он пришёл (наконец-то!) домой."},
      {"nl", "Hij kwam (eindelijk…) naar huis."},
      {"hi", "वह आया (सच में!) और गया।"},
      {"ar", "جاء (حقا!) إلى البيت."},
      {"ja", "これは（本当！）よい。"},
      {"zh", "他来了（真的！）很好。"},
      {"de", "Er kam (!) Montag zurück."},
      {"en", "It works (it really does!). ⏎ Then we left."},
      {"en", "We won! ⏎ (Really!) ⏎ Then we left."},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: an address ends before signs that are not Latin, and before a dash") {
  const Words rows[] = {
      {"zh", "（https://x.org/a），谢谢", "（ https://x.org/a ） ， 谢谢"},
      {"zh", "https://x.org/a、https://y.org/b", "https://x.org/a 、 https://y.org/b"},
      {"hi", "देखें https://x.org/a।", "देखें https://x.org/a ।"},
      {"ar", "انظر https://x.org/a، شكرا", "انظر https://x.org/a ، شكرا"},
      {"en", "See https://x.org/a—and more.", "See https://x.org/a — and more ."},
      {"ja", "https://x.org/aを見て", "https://x.org/a を 見 て"},
      {"ja", "https://x.org/を見て", "https://x.org/ を 見 て"},
      {"ja", "https://ja.wikipedia.org/wiki/日本", "https://ja.wikipedia.org/wiki/日本"},
      {"ru", "https://ru.wikipedia.org/wiki/Москва — там",
       "https://ru.wikipedia.org/wiki/Москва — там"},
      {"ca", "https://x.org/par·lel", "https://x.org/par·lel"},
  };
  check_words_of(rows);
  check_sentences_of(std::array{Row{"zh", "请看 https://x.org/a。 ⏎谢谢！"},
                                Row{"zh", "（https://x.org/a）很好。 ⏎谢谢！"}});
}

TEST_CASE("kinds: East Asian quotations and titles") {
  const Row rows[] = {
      {"ja", "彼は「行こう！」と言った。"},
      {"ja", "「はい。」って言った。"},
      {"ja", "「痛い！」などと叫ぶ。"},
      {"ja", "「本。」を読む。"},
      {"zh", "《摔跤吧！爸爸》很好看。"},
      {"zh", "“走吧！”的声音。"},
      {"zh", "“好！”他说。"},
      {"zh", "“真的？”她问。 ⏎“真的。”"},
      {"ko", "“가자!”라고 말했다."},
      {"ko", "“가자!” 라고 말했다."},
      {"ja", "『走れ！メロス』を読んだ。 ⏎面白い。"},
      {"ja", "「行く。」 ⏎「うん。」"},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: abbreviations with blanks, or doubled") {
  const Row rows[] = {
      {"es", "Los EE. UU. ganaron."},       {"de", "50 v. Chr. in Rom."},
      {"es", "50 a. C. en Roma."},          {"de", "der e . V . hat"},
      {"de", "Der e. V. Hamburg hat"},      {"de", "Sie kamen z. B. Montag."},
      {"gl", "Os EE. UU. gañaron."},        {"ca", "L'any 50 a. C. a Roma."},
      {"pt", "No ano 50 a. C. em Roma."},   {"it", "Nel 50 a. C. a Roma."},
      {"nl", "In 50 v. Chr. in Rome."},     {"sv", "År 50 f. Kr. i Rom."},
      {"ro", "În anul 50 î. Hr. la Roma."}, {"hu", "Kr. e. 50-ben Rómában."},
      {"pl", "Byli tam m. in. Polacy."},    {"es", "Fue en 50 a. C. ⏎ Luego murió."},
  };
  check_sentences_of(rows);
  check_words_of(std::array{Words{"es", "EE. UU.", "EE. UU."}, Words{"de", "v. Chr.", "v. Chr."}});
}

TEST_CASE("kinds: decomposed letters are like composed ones") {
  const Row rows[] = {
      {"es", "Véase la pág. 5 del libro."},
      {"de", "Am 5. März kam er."},
      {"fr", "Voir le 5 févr. au soir."},
      {"cs", "Byl zde příp. Pavel."},
      {"pl", "Był tam inż. Nowak."},
      {"hu", "Ld. évf. Budapest."},
      {"ko", "그는 갔어요 ⏎ 나는 왔습니다 ⏎ 그래"},
  };
  check_sentences_of(rows);
  for (const auto& [locale, text] : rows) {
    CAPTURE(locale);
    CHECK(with_ends(decomposed(without_ends(text)), locale) == decomposed(text));
  }
  CHECK(words_of(decomposed("donne-là aujourd'hui"), "fr") == decomposed("donne -là aujourd'hui"));
  CHECK(words_of(decomposed("24-jährige"), "de") == decomposed("24-jährige"));
}

TEST_CASE("kinds: invisible marks after a full stop") {
  for (const std::string mark : {"\u200e", "\u200f", "\u061c", "\u202a", "\u202c", "\u202e",
                                 "\u2066", "\u2069", "\u2060", "\ufeff", "\u00ad"}) {
    const Row rows[] = {
        {"he", "שלום." + mark + " ⏎ זה משפט."},
        {"ar", "نعم." + mark + " ⏎ هذه جملة."},
        {"en", "He left." + mark + " ⏎ She stayed."},
        {"de", "Er ging! ⏎ " + mark + "Sie blieb."},
        {"fa", "بله؟" + mark + " ⏎ نه."},
    };
    check_sentences_of(rows);
  }
}

TEST_CASE("kinds: degrees at the end of a sentence") {
  const Row rows[] = {
      {"nl", "20 °C. ⏎ Het is warm."},         {"en", "It was 70 °F. ⏎ We left."},
      {"fr", "Il faisait 20 °C. ⏎ Il pleut."}, {"de", "Es waren 20°C. ⏎ Dann regnete es."},
      {"es", "Hacía 20 ° C. ⏎ Luego llovió."}, {"pl", "Było 20 °C. ⏎ Potem padało."},
  };
  check_sentences_of(rows);
  check_words_of(std::array{Words{"nl", "20 °C. Het", "20 ° C . Het"}});
}

TEST_CASE("kinds: a dash attached to the turn that it begins") {
  const Row rows[] = {
      {"es", "Luego salió. ⏎ —Sí —dijo él. ⏎ —No."},
      {"fr", "Il sortit. ⏎ —Oui, dit-il. ⏎ —Non."},
      {"ro", "A plecat. ⏎ —Da, zise el. ⏎ —Nu."},
      {"ru", "Он вышел. ⏎ —Да, — сказал он. ⏎ —Нет."},
      {"pl", "Wyszedł. ⏎ —Tak — powiedział."},
      {"pt", "Saiu. ⏎ —Sim — disse ele. ⏎ —Não."},
      {"en", "He left. ⏎ —Yes, he said. ⏎ —No."},
      {"es", "—¿Vienes? —preguntó él."},
      {"es", "Salió. ⏎ —¿Quién es? ⏎ —No sé."},
      {"fi", "Hän lähti. ⏎ –Joo, sanoi hän."},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: endings after a colon") {
  const Words rows[] = {
      {"sv", "den 46:e EU:s A:s", "den 46:e EU:s A:s"},
      {"nb", "EU:s NRK:s A:s", "EU:s NRK:s A:s"},
      {"nn", "FN:s 2:a", "FN:s 2:a"},
      {"da", "46:e FN:s", "46:e FN:s"},
      {"fi", "46:een EU:n", "46:een EU:n"},
  };
  check_words_of(rows);
}

TEST_CASE("kinds: dates with blanks") {
  const Row rows[] = {
      {"cs", "Stalo se to 9. 10. 2013 v Praze."},
      {"sk", "Bolo to 9. 10. 2013 v Nitre."},
      {"pl", "Urodził się 9. 10. 2013 w Warszawie."},
      {"ko", "2008. 5. 3. 서울에서 열렸다."},
      {"de", "Es war am 9. 10. 2013 in Berlin."},
      {"hr", "Rođen je 9. 10. 2013. u Zagrebu."},
      {"sl", "Rojen 9. 10. 2013 v Ljubljani."},
      {"fi", "Se oli 9. 10. 2013 Helsingissä."},
      {"hu", "2008. 5. 3. Budapest."},
      {"en", "There were 9. ⏎ In 2013 there were 10."},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: ordinals and Roman numerals before a capital") {
  const Row rows[] = {
      {"de", "Der 44. Präsident kam."},        {"de", "Das ist zum 1. Mal so."},
      {"de", "Der 1. FC Köln gewann."},        {"de", "Er kam am 5. ⏎ Das war gut."},
      {"de", "Platz 3. ⏎ Danach kam er."},     {"de", "Art. 5. Der Bund."},
      {"de", "Ludwig XIV. König von"},         {"de", "Ludwig XIV. ⏎ Er war König."},
      {"hu", "A III. István király."},         {"hu", "A IV. Béla kora."},
      {"cs", "Karel IV. Lucemburský vládl."},  {"hr", "To je II. Svjetski rat."},
      {"tr", "II. Abdülhamit öldü."},          {"da", "Efter 2. Verdenskrig kom han."},
      {"en", "See Sec. IV for more."},         {"en", "Sec. 4. Powers of the court."},
      {"fr", "Art. 5. Tout homme est libre."}, {"ru", "Ст. 5. Суд решает."},
  };
  check_sentences_of(rows);
  check_words_of(std::array{Words{"es", "El 1.º y la 2.ª", "El 1.º y la 2.ª"},
                            Words{"pt", "O 1.º dia", "O 1.º dia"}});
}

TEST_CASE("kinds: Czech and Slovak titles") {
  const Row rows[] = {
      {"cs", "Přišla MUDr. Eva Nová."},  {"cs", "To je JUDr. Jan Novák."},
      {"cs", "Napsal RNDr. Jan Novák."}, {"sk", "Prišla PhDr. Eva Nová."},
      {"sk", "To je MVDr. Ján Novák."},  {"sk", "Bola tam PaedDr. Eva Nová."},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: other abbreviations and terminators") {
  const Row rows[] = {
      {"nl", "Zie p. 5 van het boek."},
      {"ru", "Дома, сады и т. д. ⏎ Потом он ушёл."},
      {"ru", "Он живёт в г. Москва."},
      {"ru", "Это было в 1990 г. ⏎ Потом он ушёл."},
      {"uk", "Стоїть на р. Дніпро."},
      {"bg", "Роден в г. Велико Търново."},
      {"en", "He lives in Apt. 5, Bldg. C, with Brig. Gen. Smith."},
      {"th", "พ.ศ. 2500 ประเทศไทย"},
      {"km", "គាត់មក។ ⏎ ខ្ញុំទៅ។"},
      {"bo", "ང་འགྲོ། ⏎ ཁོ་ཡོང་།"},
      {"si", "මම එමි෴ ⏎ ඔහු එයි෴"},
      {"bn", "ড. ইউনূস টা. ৫০০ দিলেন।"},
      {"ta", "கே. பாலசந்தர் ரூ. 500 தந்தார்."},
      {"te", "ఎన్. టి. రామారావు రూ. 500 ఇచ్చారు."},
      {"hi", "एम. एस. धोनी ने रु. 500 दिए।"},
      {"en", "It uses .NET Core. ⏎ Good."},
  };
  check_sentences_of(rows);
}

TEST_CASE("kinds: commas and stops of other scripts") {
  const Row rows[] = {
      {"my", "သူသွားသည်၊ ငါလာသည်။ ⏎ ကောင်းသည်။"},
      {"my", "သူသွားသည်. ⏎ ငါလာသည်."},
      {"jv", "ꦱꦸꦒꦼꦁ꧈ ꦫꦮꦸꦃ꧉ ⏎ ꦱꦸꦒꦼꦁ꧉"},
      {"ban", "ᬫᬦᬸᬲ᭞ ᬫᬦᬸᬲ᭟ ⏎ ᬫᬦᬸᬲ᭟"},
      {"bo", "ང་འགྲོ། ། ⏎ཁོ་ཡོང་། །"},
      {"bo", "༄༅། །ང་འགྲོ།"},
      {"am", "ሰላም ነው፡፡ ⏎ ደህና ነህ፡፡"},
      {"am", "ሰላም ነው:: ⏎ ደህና ነህ::"},
      {"ti", "ሰላም ኣሎ:: ⏎ ከመይ ኣለኻ?"},
      {"am", "እሱ: ደህና ነው። ⏎ ሂድ።"},
      {"hy", "Նա եկավ: ⏎ Խ. Աբովյանը գնաց: ⏎ 10:30-ին"},
      {"lo", "ຂ້ອຍໄປ. ⏎ ລາວມາ."},
      {"lo", "ຄ.ສ. 2020 ທ່ານ ດຣ. ສົມ"},
      {"th", "เขาไป. ⏎ ฉันมา."},
      {"th", "เขามีรถ. ⏎ ฉันเป็นคน."},
      {"th", "เวลา 10.00 น. ดร. สมชาย ร.ต.อ. มี.ค. 2565"},
      {"km", "គាត់ទៅ. ⏎ ខ្ញុំមក."},
      {"km", "ឆ្នាំ គ.ស. 2020។"},
      {"en", "He came. ⏎ -LRB- She did not. -RRB- ⏎ Then we left."},
  };
  check_sentences_of(rows);
  const Words words[] = {
      {"my", "သူသွားသည်.", "သူ သွား သည် ."},
      {"lo", "ຂ້ອຍໄປ.", "ຂ້ອຍ ໄປ ."},
      {"th", "เขามีรถ.", "เขา มี รถ ."},
      {"km", "គាត់ទៅ.", "គាត់ ទៅ ."},
      {"th", "ร.ต.อ. มี.ค. ดร. น.", "ร.ต.อ. มี.ค. ดร. น."},
  };
  check_words_of(words);
}

TEST_CASE("kinds: Latin and ancient Greek") {
  const Row rows[] = {
      {"la", "M. Tullius M. f. Cicero a. d. III Kal. Ian. uenit. ⏎ deinde abiit."},
      {"la", "Non. Mart. Cn. Pompeius et Ti. Gracchus uenerunt; ⏎ sed non erat."},
      {"la", "rem p. constituit: ⏎ itaque prou. 8-7 legitur."},
      {"grc", "ἀλλ᾽ ἐγὼ ἦν· ⏎ τί ἐστι; ⏎ οὐκ οἶδα. ⏎ ἐγὼ δέ."},
  };
  check_sentences_of(rows);
  const Words words[] = {
      {"la", "ibique atque quicumque unusquisque", "ibi que atque quicumque unusquisque"},
      {"grc", "ἀλλ᾿ ἐγώ, δ’ ἐστί", "ἀλλ᾿ ἐγώ , δ’ ἐστί"},
  };
  check_words_of(words);
}

TEST_CASE("kinds: other words") {
  const Words rows[] = {
      {"en", "It was 5p.m. and C++ on x86_64.", "It was 5 p.m. and C++ on x86_64 ."},
      {"de", "C++ und C# auf x86_64", "C++ und C# auf x86_64"},
      {"ja", "C++とC#", "C++ と C#"},
      {"pl", "x86_64 i F#", "x86_64 i F#"},
      {"nl", "16- en 17-jarige", "16- en 17-jarige"},
      {"nl", "in- en uitvoer", "in- en uitvoer"},
      {"sv", "16- och 17-åringar", "16- och 17-åringar"},
      {"da", "16- og 17-årige", "16- og 17-årige"},
      {"nb", "16- og 17-åringer", "16- og 17-åringer"},
      {"fi", "16- ja 17-vuotiaat", "16- ja 17-vuotiaat"},
      {"nl", "in 's-Hertogenbosch", "in 's-Hertogenbosch"},
      {"th", "พ.ศ. 2500", "พ.ศ. 2500"},
      {"en", "uses .NET Core", "uses .NET Core"},
      {"en", "3.5km and 12mm", "3.5 km and 12 mm"},
      {"fr", "2,5km et 3kg", "2,5 km et 3 kg"},
      {"el", "στο σπίτι, στην πόλη", "σ το σπίτι , σ την πόλη"},
      {"hu", "10%-os 5%-kal", "10%-os 5%-kal"},
      {"pt", "R$ 5, R$5, US$ 5,50", "R$ 5 , R$ 5 , US$ 5,50"},
      {"sv", "90:an, 1:a, 2:an och 30:orna", "90:an , 1:a , 2:an och 30:orna"},
  };
  check_words_of(rows);
}

TEST_CASE("kinds: a small letter begins a sentence after a full stop that is certain") {
  const Row rows[] = {
      {"en", "We get back. ⏎ i am sure."},
      {"de", "Das ist gut. ⏎ ich gehe."},
      {"it", "Sono qui. ⏎ vado a casa."},
      {"ru", "Он пришёл. ⏎ она ушла."},
      {"en", "It is made by Acme Inc. in Ohio."},
      {"en", "It is approx. five."},
      {"de", "Der Abg. sprach."},
      {"pl", "Zob. pkt. trzeci."},
      {"en", "He left... and came back."},
      {"en", "On the blvd. in town."},
  };
  check_sentences_of(rows);
}

}  // namespace elmo
