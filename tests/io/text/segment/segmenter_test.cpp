// Properties of the tokens and sentences of any text with every tokenizer, and the sentences that
// the rules find.
#include "io/text/segment/segmenter.h"

#include <doctest/doctest.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/token_rules.h"
#include "io/text/segment/utf8.h"
#include "tests/fixtures/environment.h"
#include "tests/fixtures/files.h"
#include "tests/io/fixtures/published.h"
#include "tests/io/text/reading.h"
#include "tests/io/text/segment/languages.h"

namespace elmo {
namespace {

struct NamedSegmenter {
  std::string name;
  TokenizerKind kind;
  std::unique_ptr<Segmenter> segmenter;
};

/// Returns every tokenizer with every language that has rules, and some that have none.
std::vector<NamedSegmenter> all_segmenters() {
  std::vector<std::string> languages = languages_with_rules();
  for (const char* other : {"", "th", "uk", "pl", "ar"}) languages.emplace_back(other);
  std::vector<NamedSegmenter> segmenters;
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    for (const std::string& language : languages) {
      const std::string name = std::string(kTokenizerKinds.word(kind)) + " " + language;
      segmenters.push_back({name, kind, make_segmenter({kind, language})});
    }
  }
  const std::string odd =
      "emoticons: (( .. aa :\nsplit: a|b *|ab ba|* **|'s a|' 0|a\nkeep: aab\njoin: 'a' a(b\n"
      "between-letters: ( ' . : / - @\nbetween-digits: * . /\nbetween-mixed: @ '\n"
      "before-letters: ( . '\nbefore-digits: - ' .\nafter-letters: . ' : )\nsingle: .\n"
      "apostrophe: split\nfull-stop-apart: yes\ndigit-groups: yes\nordinals: yes\n"
      "abbreviations: a. a.b. 0.\nfinal-abbreviations: b.\nnumber-abbreviations: c.\n"
      "final-endings: a\nfinal-before-capital: , (\ndomains: a b c";
  for (const char* style : {"\nstyle: ud\n", "\nstyle: moses\n"}) {
    segmenters.push_back(
        {"file", TokenizerKind::file, make_segmenter({TokenizerKind::file, "", odd + style})});
  }
  return segmenters;
}

bool is_blank_or_control(UChar32 c) {
  return u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR;
}

bool is_seen(UChar32 c) {
  return !is_blank_or_control(c) && !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

/// True if a token may begin or end at `position` with respect to grapheme clusters: at their
/// boundaries, and next to characters outside tokens.
std::vector<bool> cluster_boundaries(std::string_view text) {
  std::vector<bool> may(text.size() + 1, false);
  may[0] = true;
  Boundaries clusters(BoundaryKind::cluster, kRootLocale);
  clusters.set_text(text);
  for (std::size_t at = clusters.next(); at != Boundaries::npos; at = clusters.next())
    may[at] = true;
  for (std::size_t next = 0; next < text.size();) {
    const std::size_t begin = next;
    if (is_seen(next_code_point(text, next))) continue;
    may[begin] = true;
    may[next] = true;
  }
  return may;
}

/// Returns the errors in the tokens and sentences of `text`; empty if there are none.
std::string fault_in(std::string_view text, const NamedSegmenter& named,
                     const std::vector<bool>& clusters) {
  Segmenter& segmenter = *named.segmenter;
  segmenter.set_text(text);
  std::vector<TextRange> tokens;
  std::size_t last_end = 0;
  for (;;) {
    const Segmenter::Sentence sentence = segmenter.next();
    if (sentence.end == Segmenter::npos) break;
    if (sentence.end > text.size()) return "a sentence ends behind the text";
    if (sentence.end < last_end) return "sentences overlap";
    last_end = sentence.end;
    for (const TextRange& token : sentence.tokens) tokens.push_back(token);
    if (tokens.empty() || named.kind == TokenizerKind::icu) continue;
    if (tokens.back().end > sentence.end) return "a sentence ends in a token";
  }
  if (last_end != text.size() && !text.empty()) return "the last sentence does not end the text";
  std::size_t at = 0;
  for (const TextRange& token : tokens) {
    if (token.begin < at) return "tokens overlap";
    if (token.begin >= token.end || token.end > text.size()) return "an empty token";
    for (std::size_t next = at; next < token.begin;) {
      if (is_seen(next_code_point(text, next))) return "a character is in no token";
    }
    if (named.kind != TokenizerKind::icu && !(clusters[token.begin] && clusters[token.end])) {
      return "a token divides a grapheme cluster";
    }
    at = token.end;
  }
  while (at < text.size()) {
    if (is_seen(next_code_point(text, at))) return "the last character is in no token";
  }
  const std::span<const TextRange> again = segmenter.tokens_of(text);
  const auto same = [](const TextRange& a, const TextRange& b) {
    return a.begin == b.begin && a.end == b.end;
  };
  if (named.kind != TokenizerKind::icu && !std::ranges::equal(again, tokens, same)) {
    return "a line has other tokens";
  }
  return "";
}

/// Returns random text from all of Unicode, with many characters that rules mention.
class RandomText {
 public:
  explicit RandomText(std::uint64_t seed) : chance_(seed) {}

  std::string next() {
    static const std::vector<std::string> kPieces{
        " ",          " ",          " ",          " ",
        "\n",         "\t",         "\u00a0",     "\u202f",
        "\u2028",     "\u3000",     "\u200b",     "\u0085",
        ".",          ".",          ".",          ",",
        "!",          "?",          ":",          ";",
        "-",          "--",         "'",          "'",
        "\u2019",     "''",         "\"",         "(",
        ")",          "[",          "]",          "/",
        "//",         "@",          "#",          "&",
        "_",          "*",          "^",          "=",
        "~",          "<",          ">",          "`",
        "\u2026",     "\u2013",     "\u00b0",     "\u00b7",
        "\u3002",     "\uff01",     "\u300d",     "a",
        "b",          "A",          "c",          "s",
        "t",          "n't",        "don't",      "0",
        "1",          "20",         "000",        "3.",
        "http://",    "www.",       ".com",       "a@b.c",
        "U.S.",       "Dr.",        "etc.",       "e.g.",
        "No.",        ":)",         ":(",         ":-D",
        "^_^",        "J.-C.",      "-/x",        "l'",
        "-t-il",      "nya",        "cannot",     "km/h",
        "\u00b2",     "\u0301",     "\u0308",     "\u0345",
        "\u094d",     "\u0915",     "\u093f",     "\u0e01",
        "\u0e33",     "\u0e40",     "\u0e4d",     "\u1100",
        "\u1161",     "\u11a8",     "\uac00",     "\uac01",
        "\uc694",     "\u1000",     "\u1039",     "\u103b",
        "\u17d2",     "\u1780",     "\u65e5",     "\u672c",
        "\u3042",     "\u30fc",     "\uff9e",     "\u0600",
        "\u06dd",     "\u0627",     "\u05d0",     "\u00ad",
        "\u200d",     "\u200c",     "\u2060",     "\ufeff",
        "\u200e",     "\ufe0f",     "\u20e3",     "\u034f",
        "\u180e",     "\U0001f468", "\U0001f3fd", "\U0001f1e9",
        "\U0001f600", "\u2764",     "\U000e0067", "\U000e007f",
        "\U0001f3f4", "\U000110bd", "\U000e0001", std::string(1, '\0'),
        "\x01",       "\x7f",       "\ufffd"};
    std::string text;
    const std::size_t pieces = below(40);
    const bool words = below(2) == 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (!words && below(3) == 0) {
        text += random_character();
      } else {
        text += kPieces[below(kPieces.size())];
      }
    }
    return text;
  }

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(chance_);
  }

 private:
  std::string random_character() {
    constexpr std::size_t kLimits[] = {0x250, 0x3000, 0x10000, 0x20000, 0x110000};
    auto c = static_cast<std::uint32_t>(below(kLimits[below(std::size(kLimits))]));
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
    std::string text;
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xC0 | c >> 6), add(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      add(0xE0 | c >> 12), add(0x80 | (c >> 6 & 0x3F)), add(0x80 | (c & 0x3F));
    } else {
      add(0xF0 | c >> 18), add(0x80 | (c >> 12 & 0x3F)), add(0x80 | (c >> 6 & 0x3F));
      add(0x80 | (c & 0x3F));
    }
    return text;
  }

  std::mt19937_64 chance_;
};

/// Escapes characters that a test report would not show.
std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t next = 0; next < text.size();) {
    const UChar32 c = next_code_point(text, next);
    char escaped[16];
    std::snprintf(escaped, sizeof escaped, c > ' ' && c < 0x7F ? "%c" : "\\u{%x}",
                  static_cast<unsigned>(c));
    result += escaped;
  }
  return result;
}

void check_invariants(std::string_view text, const std::vector<NamedSegmenter>& segmenters) {
  const std::vector<bool> clusters = cluster_boundaries(text);
  for (const NamedSegmenter& named : segmenters) {
    const std::string fault = fault_in(text, named, clusters);
    if (fault.empty()) continue;
    const std::string whole = shown(text.substr(0, 2000));
    FAIL_CHECK(named.name, ": ", fault, ": ", whole);
  }
}

/// Checks that a paragraph read in pieces has the same sentences as the whole.
void check_pieces(const std::string& text, const TokenizerSettings& tokenizer) {
  InputOptions options;
  options.tokenizer = tokenizer;
  const ReadText read = read_text(text, options);
  RepairedText repaired;
  repaired.assign(text);
  const auto segmenter = make_segmenter(tokenizer);
  segmenter->set_text(repaired.text());
  for (const ReadSentence& sentence : read.sentences) {
    std::string tokens;
    for (const TextRange& token : segmenter->next().tokens) {
      if (!tokens.empty()) tokens += '|';
      tokens += repaired.text().substr(token.begin, token.end - token.begin);
    }
    REQUIRE(sentence.tokens == tokens);
  }
  CHECK(segmenter->next().end == Segmenter::npos);
}

}  // namespace

TEST_CASE("random texts: each character is in one token, and boundaries are allowed ones") {
  const std::uint64_t first = environment_number("ELMO_RANDOM_SEED", std::random_device()());
  const std::uint64_t count = environment_number("ELMO_RANDOM_TEXTS", 2000);
  MESSAGE("seed ", first, ", ", count, " texts");
  const std::vector<NamedSegmenter> segmenters = all_segmenters();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    check_invariants(RandomText(seed).next(), segmenters);
  }
}

TEST_CASE("real and hostile texts: each character is in one token") {
  const auto data = reference_data();
  if (!data) return;
  const std::vector<NamedSegmenter> segmenters = all_segmenters();
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"data/bad-input", "data/tokens/ud"}) {
    for (const auto& file : std::filesystem::directory_iterator(*data / folder)) {
      if (file.path().string().find(".txt") != std::string::npos) files.push_back(file.path());
    }
  }
  REQUIRE(files.size() > 10);
  constexpr std::size_t kBytesOfEach = 50'000;
  for (const std::filesystem::path& file : files) {
    CAPTURE(file);
    // The reader decompresses.
    InputOptions options;
    options.format = InputFormat::tokens;
    options.files = {file.string()};
    const auto source = open_source(options);
    std::string text;
    Sentence sentence;
    while (text.size() < kBytesOfEach && source->next(sentence)) {
      for (std::size_t token = 0; token < sentence.size(); ++token) {
        text += sentence.token(token);
        text += ' ';
      }
      text += '\n';
    }
    check_invariants(text, segmenters);
  }
}

TEST_CASE("a segmenter forgets the previous text") {
  for (const NamedSegmenter& named : all_segmenters()) {
    CAPTURE(named.name);
    Segmenter& segmenter = *named.segmenter;
    const std::size_t fresh = make_segmenter({})->tokens_of("One. Two 000.").size();
    segmenter.set_text("80 http://x");
    segmenter.next();
    if (named.kind == TokenizerKind::icu)
      CHECK(segmenter.tokens_of("One. Two 000.").size() == fresh);
    segmenter.set_text("");
    CHECK(segmenter.next().tokens.empty());
    segmenter.set_text("000");
    CHECK(segmenter.next().tokens.size() == 1);
    CHECK(segmenter.next().end == Segmenter::npos);
    CHECK(segmenter.tokens_of("").empty());
  }
}

TEST_CASE("segmentation takes linear time") {
  // A quadratic algorithm would take minutes.
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::vector<NamedSegmenter> segmenters;
  for (NamedSegmenter& named : all_segmenters()) {
    for (const char* some : {"icu ", "ud fi", "moses en", "file"}) {
      if (named.name == some) segmenters.push_back(std::move(named));
    }
  }
  REQUIRE(segmenters.size() == 5);
  const auto segment = [&](const std::string& text) {
    for (const NamedSegmenter& named : segmenters) {
      named.segmenter->set_text(text);
      std::size_t sentences = 0;
      while (named.segmenter->next().end != Segmenter::npos) ++sentences;
      CHECK(sentences > 0);
    }
  };
  for (const std::string unit :
       {"a.a.a.", "a-a-a-", "''a''a", "1,1,1,", "http://http://", "a@b.", ":((((", "x@", "\u0e01",
        "\u200d", ".) ", "\u300a", "\u3008", "\u300e", "\u300c"}) {
    CAPTURE(unit);
    std::string text = "x";
    while (text.size() < kBytes) text += unit;
    segment(text);
  }
  for (const char sign : {'(', '^', '\'', '.', ' '}) {
    CAPTURE(sign);
    segment("x:" + std::string(kBytes, sign) + "a");
  }
}

TEST_CASE("a long paragraph read in pieces has the same sentences as a whole") {
  const std::uint64_t seed = environment_number("ELMO_RANDOM_SEED", std::random_device()());
  MESSAGE("seed ", seed);
  static const std::vector<std::string> kWords{
      "word", "Word", "a",    "It's",  "No.",      "5",       "3.",           "Dr.",
      "U.S.", "etc.", "end.", "What?", "\"Yes.\"", "(x).",    "[6]",          "http://a.b/c.",
      ":-)",  "80",   "000",  "...",   "-",        "end.[7]", "\u6771\u3002", "\xff"};
  RandomText random(seed);
  std::string text;
  while (text.size() < (std::size_t{5} << 19)) text += kWords[random.below(kWords.size())] + " ";
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    CAPTURE(kTokenizerKinds.word(kind));
    check_pieces(text, {kind, "fr"});
  }
}

TEST_CASE("the text after a sentence decides its end, even beyond the end of a piece") {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::string undecided = "It ended. ( ( ( and so on.";
  std::string filler;
  while (filler.size() < kPiece) filler += "Word word word word. ";
  for (std::size_t before = 1; before < undecided.size(); ++before) {
    CAPTURE(before);
    check_pieces(filler.substr(filler.size() - kPiece + before) + undecided + " Next.",
                 {TokenizerKind::ud, "en"});
  }
}

TEST_CASE("a word of four megabytes is one token") {
  const std::string word(std::size_t{4} << 20, 'a');
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    CHECK(make_segmenter({kind, "en"})->tokens_of(word).size() == 1);
  }
}

namespace {

/// Returns the sentences of a text as written, each in brackets.
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

TEST_CASE("rules: a small letter continues a sentence only after a full stop") {
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

TEST_CASE("rules: a sentence ends after closing quotation marks, brackets and references") {
  CHECK(ruled("\"It rains.\" He left.") == "[\"It rains.\"][He left.]");
  CHECK(ruled("(It rains.) He left.") == "[(It rains.)][He left.]");
  CHECK(ruled("“It rains!” “No.” So") == "[“It rains!”][“No.”][So]");
  CHECK(ruled("It rains.[6] He left.[12][13] So", "en") == "[It rains.[6]][He left.[12][13]][So]");
  CHECK(ruled("\"It rains.\"[6] He left.", "en") == "[\"It rains.\"[6]][He left.]");
  CHECK(is_one_sentence("It rains.[a] he", "en"));
  CHECK(ruled("``It rains . '' He left .", "en") == "[``It rains . ''][He left .]");
  CHECK(is_one_sentence("\"It rains.\" said he", "en"));
}

TEST_CASE("rules: a quotation may be part of a sentence, whatever its last sign") {
  CHECK(is_one_sentence("\"Really?\" she asked.", "en"));
  CHECK(ruled("\"No!\" She left.", "en") == "[\"No!\"][She left.]");
  CHECK(ruled("Is it (really?) what? i dont know", "en") == "[Is it (really?) what?][i dont know]");
  CHECK(is_one_sentence("그는 \"안녕하세요?\"라고 말했다.", "ko"));
  CHECK(is_one_sentence("„Ja!“ sagte er.", "de"));
}

TEST_CASE("rules: opening brackets and quotation marks belong to the next sentence") {
  CHECK(ruled("彼は立った。「もう帰る」と言った。", "ja") ==
        "[彼は立った。][「もう帰る」と言った。]");
  CHECK(ruled("她笑了。（完）走了。《红楼梦》", "zh") == "[她笑了。][（完）走了。][《红楼梦》]");
  CHECK(ruled("他走了。“你好！”他说。", "zh") == "[他走了。][“你好！”他说。]");
  CHECK(is_one_sentence("It ended.(then", "en"));
}

TEST_CASE("rules: an emoticon may end a sentence") {
  CHECK(ruled("Nice :-) We went home :) and slept.", "en") ==
        "[Nice :-)][We went home :) and slept.]");
}

TEST_CASE("rules: the number of an item does not end a sentence") {
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

TEST_CASE("rules: a dash may begin speech after a sentence") {
  CHECK(ruled("Er kam. – Ja, sagte sie. - Nein.", "de") == "[Er kam.][– Ja, sagte sie.][- Nein.]");
  CHECK(is_one_sentence("Er kam. – und ging", "de"));
  CHECK(ruled("Er rief. ,,Nein!\" Sie", "de") == "[Er rief.][,,Nein!\"][Sie]");
}

TEST_CASE("rules: the blank after a full stop may be missing") {
  CHECK(ruled("It ended.Then it began.", "en") == "[It ended.][Then it began.]");
  CHECK(is_one_sentence("See file.Txt and U.S.Army", "en") == false);
  CHECK(ruled("Ended!Then", "en") == "[Ended!][Then]");
}

TEST_CASE("rules: other scripts have terminators of their own") {
  CHECK(ruled("यह है। वह है।", "hi") == "[यह है।][वह है।]");
  CHECK(ruled("هل؟ نعم.", "ar") == "[هل؟][نعم.]");
}

TEST_CASE("rules: a sentence with many closing signs or blanks is one") {
  const std::string closers(10'000, ')');
  CHECK(ruled("Yes." + closers + " No") == "[Yes." + closers + "][No]");
  CHECK(ruled("Yes." + std::string(10'000, ' ') + "No") == "[Yes.][No]");
}

TEST_CASE("the error about contractions names the languages that have some") {
  TokenizerSettings settings;
  settings.kind = TokenizerKind::ud;
  settings.locale = "en";
  settings.contractions = ContractionMode::expand;
  std::string languages;
  for (const std::string& language : languages_with_rules()) {
    if (has_contractions(language)) languages += " " + language;
  }
  CHECK(languages == " de es fr it pt");
  CHECK_THROWS_WITH_AS(make_segmenter(settings),
                       "contractions expand: found the tokenizer ud and the locale en, which have "
                       "no contractions; expected ud and de, es, fr, it or pt, or a rule file that "
                       "lists contractions",
                       RequestError);
}

}  // namespace elmo
