// Contractions and the words that they stand for. The tables are read with a native speaker's eye.
#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/segment/rule_sets.h"
#include "io/text/segment/segmenter.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

InputOptions expanding(const std::string& locale, ContractionMode mode = ContractionMode::expand) {
  InputOptions options;
  options.tokenizer = {TokenizerKind::ud, locale, "", "", mode};
  options.lines = true;
  return options;
}

/// Returns the words of a line, joined by |.
std::string expanded(std::string_view text, const std::string& locale) {
  return read_text(text, expanding(locale)).sentences.at(0).tokens;
}

struct Case {
  const char* text;
  const char* words;
};

void check(const std::string& locale, std::initializer_list<Case> cases) {
  CAPTURE(locale);
  for (const Case& example : cases) CHECK(expanded(example.text, locale) == example.words);
}

}  // namespace

TEST_CASE("contractions: German prepositions with an article") {
  check("de",
        {{"Im Haus am See", "In|dem|Haus|an|dem|See"},
         {"zum Arzt, zur Post, vom Bäcker", "zu|dem|Arzt|,|zu|der|Post|,|von|dem|Bäcker"},
         {"beim Essen ins Bett", "bei|dem|Essen|in|das|Bett"},
         {"ans Meer, aufs Land, fürs Kind", "an|das|Meer|,|auf|das|Land|,|für|das|Kind"},
         {"ums Haus, durchs Tor, übers Feld", "um|das|Haus|,|durch|das|Tor|,|über|das|Feld"},
         {"unterm Bett, überm Tisch, vorm Tor", "unter|dem|Bett|,|über|dem|Tisch|,|vor|dem|Tor"},
         {"Er kam an den See.", "Er|kam|an|den|See|."}});
}

TEST_CASE("contractions: French prepositions with an article") {
  check("fr", {{"Du pain aux enfants", "De|le|pain|à|les|enfants"},
               {"Au roi, au lit", "À|le|roi|,|à|le|lit"},
               {"duquel, auxquelles", "de|lequel|,|à|lesquelles"},
               {"les livres des enfants et des livres", "les|livres|des|enfants|et|des|livres"},
               {"l'eau du lac d'Annecy", "l'|eau|de|le|lac|d'|Annecy"}});
}

TEST_CASE("contractions: Spanish articles, and pronouns after a gerund or an infinitive") {
  check("es", {{"Del río al mar", "De|el|río|a|el|mar"},
               {"convirtiéndose, haciéndolo", "convirtiendo|se|,|haciendo|lo"},
               {"leyéndole, mirándonos", "leyendo|le|,|mirando|nos"},
               {"dárselo, decírselos, dándomela", "dar|se|lo|,|decir|se|los|,|dando|me|la"},
               {"Encontrándose aquí", "Encontrando|se|aquí"},
               {"quedarse con él", "quedar|se|con|él"}});
}

TEST_CASE("contractions: Italian prepositions with an article") {
  check("it", {{"Nel cuore della città", "In|il|cuore|di|la|città"},
               {"Dell'arte e dell’uomo", "Di|l'|arte|e|di|l’|uomo"},
               {"dell\u00B4arte", "di|l\u00B4|arte"},
               {"negli anni, sull'acqua", "in|gli|anni|,|su|l'|acqua"},
               {"dagli amici ai figli", "da|gli|amici|a|i|figli"},
               {"col tempo, coi figli, all'alba", "con|il|tempo|,|con|i|figli|,|a|l'|alba"},
               {"per dirlo", "per|dir|lo"}});
}

TEST_CASE("contractions: Portuguese articles and pronouns") {
  check("pt", {{"Do Brasil à França", "De|o|Brasil|a|a|França"},
               {"pelas ruas numa noite", "por|as|ruas|em|uma|noite"},
               {"Nesta casa, daquele homem", "Em|esta|casa|,|de|aquele|homem"},
               {"deles, nisso, comigo", "de|eles|,|em|isso|,|com|mim"},
               {"Trata-se disto", "Trata|se|de|isto"},
               {"vê-lo e expulsá-la", "vê|lo|e|expulsá|la"},
               {"ao mar, guarda-chuva", "a|o|mar|,|guarda-chuva"}});
}

TEST_CASE("contractions keep the case of the text, composed or not") {
  check("fr", {{"du Du DU dU", "de|le|De|le|DE|LE|de|le"}});
  check("es", {{"VIÉNDOLO", "VIENDO|LO"}, {"vie\u0301ndolo", "viendo|lo"}});
  check("pt", {{"À mesa", "A|a|mesa"}, {"a\u0300 mesa", "a|a|mesa"}});
}

TEST_CASE("the words of a contraction share its span") {
  const ReadText read = read_text("Il va au lac.", expanding("fr"));
  CHECK(read.sentences.at(0).tokens == "Il|va|à|le|lac|.");
  CHECK(read.sentences.at(0).spans == Spans{{0, 2}, {3, 5}, {6, 8}, {6, 8}, {9, 12}, {12, 13}});
}

TEST_CASE("contractions are kept unless the settings expand them") {
  CHECK(read_text("Il va au lac.", expanding("fr", ContractionMode::keep)).tokens() ==
        Strings{"Il|va|au|lac|."});
  CHECK(TokenizerSettings().contractions == ContractionMode::keep);
}

TEST_CASE("contractions cannot be expanded for languages without any") {
  for (const TokenizerSettings& settings :
       std::initializer_list<TokenizerSettings>{{TokenizerKind::ud, "en"},
                                                {TokenizerKind::ud, ""},
                                                {TokenizerKind::moses, "fr"},
                                                {TokenizerKind::icu, "fr"},
                                                {TokenizerKind::file, "fr", "keep: du\n"}}) {
    TokenizerSettings expand = settings;
    expand.contractions = ContractionMode::expand;
    CHECK_NOTHROW(make_segmenter(settings));
    CHECK_THROWS_AS(make_segmenter(expand), RequestError);
  }
}

TEST_CASE("a rule file lists contractions") {
  InputOptions options = expanding("");
  options.tokenizer.kind = TokenizerKind::file;
  options.tokenizer.rules = "contractions: du=de|le *-lo=*|lo *o=*a|b\n";
  CHECK(read_text("Du vê-lo xo o", options).tokens() == Strings{"De|le|vê|lo|xa|b|o"});
}

TEST_CASE("invalid contractions are refused") {
  const auto problem = [](std::string_view entry) { return Contractions().add(entry); };
  for (const char* entry : {"du", "du=de|", "du=|le", "du=de||le"}) {
    CHECK(problem(entry).starts_with("a word, ="));
  }
  for (const char* entry : {"du=de", "*o=*"}) CHECK(problem(entry).starts_with("two words"));
  for (const char* entry : {"*o=a|b", "o=*a|b"}) CHECK(problem(entry).starts_with("a star"));
  for (const char* entry : {"=de|le", "*=*|o", "abcdefghijklmnopq=a|b"}) {
    CHECK(problem(entry).starts_with("a word or an ending"));
  }
}

TEST_CASE("each language's contractions are words, and no word is expanded twice") {
  for (const char* locale : {"de", "es", "fr", "it", "pt"}) {
    CAPTURE(locale);
    CHECK(has_contractions(locale));
    const auto segmenter = make_segmenter(expanding(locale).tokenizer);
    CHECK(segmenter->words_of("xyz").empty());
    CHECK(segmenter->words_of("").empty());
  }
  CHECK_FALSE(has_contractions("en"));
}

}  // namespace elmo
