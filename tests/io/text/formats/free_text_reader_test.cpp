// Raw text: paragraphs, hard-wrapped lines, spans, and texts of any size.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "io/text/formats/readers.h"
#include "io/text/formats/text_line.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// Returns one byte at a time, like a slow pipe.
class OneByOne : public ByteSource {
 public:
  explicit OneByOne(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* data, std::size_t) override { return bytes_.read(data, 1); }

 private:
  MemoryBytes bytes_;
};

/// Returns a sentence of `words` words and a full stop.
std::string sentence_of(std::size_t words, const std::string& word) {
  std::string sentence = "The";
  for (std::size_t i = 0; i < words; ++i) sentence += " " + word;
  return sentence + ".";
}

}  // namespace

TEST_CASE("blank lines end paragraphs, and other line ends are white space") {
  const ReadText read = read_text(
      "A sentence that\r\ngoes on. Another\none\n\nA paragraph\n \t\n\n  without a stop\n");
  CHECK(read.tokens() ==
        Strings{"A|sentence|that|goes|on|.", "Another|one", "A|paragraph", "without|a|stop"});
  CHECK(read.lines() == Lines{1, 2, 5, 8});
  CHECK(read.counters.empty_sentences == 0);
}

TEST_CASE("a line of ideographic spaces is blank") {
  CHECK(read_text("前の\n\u3000\u3000\n後の").sentences.size() == 2);
}

TEST_CASE("headings and list items begin a sentence") {
  CHECK(read_text("# A title\nText that\ngoes on\n## Next\n").tokens() ==
        Strings{"#|A|title", "Text|that|goes|on", "#|#|Next"});
  CHECK(read_text("A title\n===\nText\nOther\n---\nmore").tokens() ==
        Strings{"A|title|=|=|=", "Text|Other|-|-|-", "more"});
  CHECK(read_text("To buy:\n- milk and\n  butter\r\n* bread\n  + rye\n").tokens() ==
        Strings{"To|buy|:", "-|milk|and|butter", "*|bread", "+|rye"});
  CHECK(read_text("Steps\n1. Open it\n2. Close\nit. Lock it\n10) Go").tokens() ==
        Strings{"Steps", "1|.", "Open|it", "2|.", "Close|it|.", "Lock|it", "10|)|Go"});
  const ReadText read = read_text("Two\n  12. Three\n\n  3. Four\n 4. Five");
  CHECK(read.lines() == Lines{1, 2, 4, 4, 5, 5});
  CHECK(read.tokens() == Strings{"Two|12|.", "Three", "3|.", "Four", "4|.", "Five"});
  CHECK(read.sentences[4].spans == Spans{{28, 29}, {29, 30}});
}

TEST_CASE("items begin with bullets of many kinds") {
  for (const std::string bullet :
       {"-", "*", "+", "•", "·", "–", "—", "▪", "●", "○", "■",  "→",
        "✓", "‣", "◦", "►", "➢", "✔", "❖", "☐", "★", "※", "・", "\uf0b7"}) {
    CAPTURE(bullet);
    CHECK(read_text("To buy\n" + bullet + " milk and\n  butter\n" + bullet + "\u00a0bread")
              .tokens() == Strings{"To|buy", bullet + "|milk|and|butter", bullet + "|bread"});
  }
  CHECK(read_text("買い物\n・牛乳\n●パン").sentences.size() == 3);
}

TEST_CASE("items begin with labels in a sequence") {
  for (const auto& [first, second] : {std::pair("(a)", "(b)"),
                                      {"a)", "b)"},
                                      {"(A)", "(B)"},
                                      {"(i)", "(ii)"},
                                      {"(1)", "(2)"},
                                      {"[1]", "[2]"},
                                      {"（1）", "（2）"},
                                      {"①", "②"},
                                      {"⑴", "⑵"},
                                      {"❶", "❷"},
                                      {"ⓐ", "ⓑ"},
                                      {"(а)", "(б)"},
                                      {"(α)", "(β)"},
                                      {"（一）", "（二）"},
                                      {"一、", "二、"},
                                      {"1、", "2、"}}) {
    CAPTURE(first);
    const std::string text = std::string("To buy\n") + first + " milk and\nbutter\n" + second;
    CHECK(read_text(text + " bread").lines() == Lines{1, 2, 4});
    CHECK(read_text(text + " bread (c) tea\n(c) tea").lines() == Lines{1, 2, 4, 5});
    CHECK(read_text(std::string("As seen in\n") + second + " milk\n" + first + " bread")
              .sentences.size() == 1);
    CHECK(read_text(std::string("As seen in\n") + first + " milk and more").sentences.size() == 1);
    CHECK(read_text(std::string("As in\n") + first + " milk\n\n" + second + " tea").lines() ==
          Lines{1, 4});
  }
  std::string lines = "\n";
  for (int line = 0; line < 40; ++line) lines += "of\n";
  CHECK(read_text("- Now" + lines + "(2) milk").sentences.size() == 1);
  CHECK(read_text("- Now\n(2) milk").lines() == Lines{1, 2});
  CHECK(read_text("Now\n(1) a\n(i) b\n(ii) c\n(2) d").lines() == Lines{1, 2, 3, 4, 5});
}

TEST_CASE("a dash begins an item unless the line before it may have been wrapped") {
  const std::string full = "It was late when the old man, whom nobody had seen for years";
  CHECK(read_text(full + "\n– tired as he was – came\nhome.").sentences.size() == 1);
  CHECK(read_text(full + ":\n– tired as he was").lines() == Lines{1, 2});
  CHECK(read_text(full + "”.\n— Oui, dit-il\n— Non").lines() == Lines{1, 2, 3});
  CHECK(read_text("– " + full + "\n– " + full).lines() == Lines{1, 2});
}

TEST_CASE("fences, quotations and tables do not join the prose around them") {
  CHECK(read_text("Run\n```sh\nmake\n```\nthen\n~~~\nls\n~~~\nwait").lines() ==
        Lines{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(read_text("He wrote\n> I am\n> here\n>> and there\n>\n> now\nI know").tokens() ==
        Strings{"He|wrote", ">|I|am|>|here", ">|>|and|there", ">", ">|now", "I|know"});
  CHECK(read_text("He wrote\n>I am\n> - here\n> - there").lines() == Lines{1, 2, 3, 4});
  CHECK(read_text("So\n| a | b |\n|---|---|\n| c | d |\nis").lines() == Lines{1, 2, 3, 4, 5});
  CHECK(read_text("So\na | b\n--- | ---\nc | d\nis").lines() == Lines{1, 2, 3, 4, 5});
  CHECK(read_text("So\na\tb\nc\td\nis").lines() == Lines{1, 2, 3, 4});
  CHECK(read_text("So\n+---+---+\n| a | b |\n+===+===+\nis").lines() == Lines{1, 2, 3, 4, 5});
  CHECK(read_text("So\n┌──┬──┐\n│ a│ b│\n└──┴──┘\nis").lines() == Lines{1, 2, 3, 4, 5});
  CHECK(read_text("So\na | b\nc | d\nis").lines() == Lines{1, 2, 3, 4});
  CHECK(read_text("a | b\nis").lines() == Lines{1, 2});
  for (const std::string rule : {"* * *", "***", "___", "- - -"}) {
    CHECK(read_text("It ended\n" + rule + "\nthen").lines() == Lines{1, 2, 3});
  }
}

TEST_CASE("lines that only resemble Markdown are wrapped like other text") {
  for (const std::string text : {"It was on\n12. mai that\n",
                                 "A\n#hash\n",
                                 "A\n-5 degrees\n",
                                 "A\n- \n",
                                 "A\n1.5 b\n",
                                 "A\n1986. b\n",
                                 "A\n####### b\n",
                                 "A\n== b\n",
                                 "A\n--\n",
                                 "A\n>:( b\n",
                                 "A\n>= 5\n",
                                 "A\n|x| < 1\n",
                                 "A\nP(B | C)\n",
                                 "A\n``b`` c\n",
                                 "A\n(1990) b\n",
                                 "A\n(as) b\n",
                                 "A\n(b)c\n",
                                 "A\n–b\n",
                                 "A\n°C\n",
                                 "A\nB | C\nd\n",
                                 "A\nは、b\n",
                                 "A\n⠓⠑⠇ b\n",
                                 "A\n**\n"}) {
    CAPTURE(text);
    CHECK(read_text(text).sentences.size() == 1);
  }
}

TEST_CASE("a line too wide to be hard-wrapped is a paragraph") {
  const std::string full(kWidestWrappedLine, 'w');
  const std::string wide = full + "w";
  CHECK(read_text(full + "\n" + full).tokens() == Strings{full + "|" + full});
  CHECK(read_text(wide + "\nnext").tokens() == Strings{wide, "next"});
  CHECK(read_text("Heading\n" + wide).tokens() == Strings{"Heading", wide});
  CHECK(read_text(wide + "\n" + wide + "\n\n").tokens() == Strings{wide, wide});
}

TEST_CASE("the width of a line is counted in columns") {
  std::string full;
  for (std::size_t i = 0; i < kWidestWrappedLine / 2; ++i) full += "\u3042";
  CHECK(read_text(full + "\n。").sentences.size() == 1);
  CHECK(read_text(full + "\u3042\n。").sentences.size() == 2);
  const std::string accents(kWidestWrappedLine, 'e');
  std::string combining;
  for (const char letter : accents) combining += letter + std::string("\u0301");
  CHECK(read_text(combining + "\nx").sentences.size() == 1);
}

TEST_CASE("spans point into the source, before any repair") {
  const ReadText read = read_text(
      "\xef\xbb\xbf"
      "Caf\xc3\xa9 \xff\xfe bad.\r\n\r\nN\xc3\xb6xt\0.\n"sv);
  CHECK(read.tokens() == Strings{"Caf\xc3\xa9|\xef\xbf\xbd|\xef\xbf\xbd|bad|.", "N\xc3\xb6xt|."});
  CHECK(read.sentences[0].spans == Spans{{3, 8}, {9, 10}, {10, 11}, {12, 15}, {15, 16}});
  CHECK(read.sentences[1].spans == Spans{{20, 25}, {26, 27}});
  CHECK(read.lines() == Lines{1, 3});
  CHECK(read.counters.invalid_sequences == 2);
}

TEST_CASE("texts of white space and controls are one sentence of zero tokens") {
  for (const std::string_view text : {" "sv, "\n\n\n"sv, "\0"sv, "\x01 \r\n \u3000"sv}) {
    const ReadText read = read_text(text);
    CHECK(read.tokens() == Strings{""});
    CHECK(read.lines() == Lines{1});
    CHECK(read.counters.empty_sentences == 1);
  }
}

TEST_CASE("sentences do not depend on how the bytes arrive") {
  const std::string_view text = "Mr. X\u00e9\nwent on.\r\n\r\n\u6771\u4eac \xf0\x9f\x98 Zoo.\nW"sv;
  const ReadText whole = read_text(text);
  const ReadText slow = read_all(*open_source({}, "input", std::make_unique<OneByOne>(text)));
  CHECK(slow.tokens() == whole.tokens());
  CHECK(slow.lines() == whole.lines());
  REQUIRE(whole.sentences.size() == 3);
  CHECK(slow.sentences[1].spans == whole.sentences[1].spans);
}

TEST_CASE("a paragraph of many megabytes has the same sentences as a short one") {
  const std::string sentence = sentence_of(200, "w\u00f6rd\xff");
  const std::size_t count = (std::size_t{3} << 20) / sentence.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += sentence + " ";
  const ReadText read = read_text(text);
  REQUIRE(read.sentences.size() == count);
  const std::string tokens = read_text(sentence).tokens().at(0);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(read.sentences[i].tokens == tokens);
    REQUIRE(read.sentences[i].spans.at(0).begin == i * (sentence.size() + 1));
  }
  CHECK(read.counters.invalid_sequences == 200 * count);
  CHECK(read.counters.cut_sentences == 0);
}

TEST_CASE("a sentence of up to four megabytes is whole, and a larger one is cut between words") {
  const std::string whole = sentence_of(400000, "abcdefg");
  REQUIRE(whole.size() < kMaxSentenceBytes);
  CHECK(read_text("Before. " + whole + " After.").sentences.size() == 3);

  const std::string larger = sentence_of(600000, "abcdefg");
  const ReadText read = read_text("Before. " + larger + " After.");
  REQUIRE(read.sentences.size() == 4);
  CHECK(read.counters.cut_sentences == 1);
  CHECK(read.sentences[0].tokens == "Before|.");
  CHECK(read.sentences[1].tokens.ends_with("|abcdefg"));
  CHECK(read.sentences[2].tokens.starts_with("abcdefg|"));
  CHECK(read.sentences[1].spans.size() + read.sentences[2].spans.size() == 600002);
  CHECK(read.sentences[3].tokens == "After|.");
}

TEST_CASE("a sentence that is too large is cut where the next one begins if one does") {
  std::string text = sentence_of(524'200, "abcdefg");  // ends shortly before the limit
  REQUIRE(text.size() + Segmenter::kLookahead > kMaxSentenceBytes);
  REQUIRE(text.size() < kMaxSentenceBytes);
  const ReadText read = read_text(text + " " + sentence_of(1000, "After"));
  REQUIRE(read.sentences.size() == 3);
  CHECK(read.sentences[0].tokens.ends_with("|abcdefg|."));
  CHECK(read.sentences[1].tokens.starts_with("The|After|"));
  CHECK(read.sentences[2].tokens.starts_with("After|"));
}

TEST_CASE("a line of many megabytes without a space is cut between characters") {
  std::string text;
  while (text.size() < 2 * kMaxSentenceBytes) text += "\u00e9t\u00e9";
  const ReadText read = read_text(text);
  std::string tokens;
  for (const ReadSentence& sentence : read.sentences) tokens += sentence.tokens;
  CHECK(tokens == text);
  CHECK(read.counters.cut_sentences >= 1);
  CHECK(read.counters.invalid_sequences == 0);
}

TEST_CASE("tokens spelled like boundaries are text") {
  CHECK(read_text("<S> </S>").tokens() == Strings{"<|S|>|<|/|S|>"});
}

}  // namespace elmo
