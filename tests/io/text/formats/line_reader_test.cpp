// One sentence per line: raw text with `lines`, and lines of tokens.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/error.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

InputOptions lines() {
  InputOptions options;
  options.lines = true;
  return options;
}

InputOptions tokens() {
  InputOptions options;
  options.format = InputFormat::tokens;
  return options;
}

}  // namespace

TEST_CASE("with lines, each line is one sentence, and empty lines keep their numbers") {
  const ReadText read = read_text("One. Two.\n\n  \nMr. X\r\nlast", lines());
  CHECK(read.tokens() == Strings{"One|.|Two|.", "", "", "Mr|.|X", "last"});
  CHECK(read.lines() == Lines{1, 2, 3, 4, 5});
  CHECK(read.counters.empty_sentences == 2);
  CHECK(read.sentences[3].spans == Spans{{14, 16}, {16, 17}, {18, 19}});
}

TEST_CASE("the end of the last line does not begin another line") {
  CHECK(read_text("a\n", lines()).tokens() == Strings{"a"});
  CHECK(read_text("\n", lines()).tokens() == Strings{""});
  CHECK(read_text("\n\n", tokens()).tokens() == Strings{"", ""});
}

TEST_CASE("lines of tokens are split at ASCII white space and controls and nowhere else") {
  const ReadText read = read_text(
      "It's  U.S.-based\t\v\f\r , \x01 a\0b\n <S> </S> 10\xc2\xa0"
      "000 x\xe3\x80\x80y\x7f\r\n"sv,
      tokens());
  CHECK(read.tokens() == Strings{"It's|U.S.-based|,|a|b",
                                 "<S>|</S>|10\xc2\xa0"
                                 "000|x\xe3\x80\x80y\x7f"});
  CHECK(read.sentences[0].spans == Spans{{0, 4}, {6, 16}, {21, 22}, {25, 26}, {27, 28}});
}

TEST_CASE("tokens with invalid UTF-8 are repaired and their spans point into the source") {
  const ReadText read = read_text(
      "\xef\xbb\xbf"
      "a\xff\xffz b\xe2\x82 c\n"sv,
      tokens());
  CHECK(read.tokens() == Strings{"a\xef\xbf\xbd\xef\xbf\xbdz|b\xef\xbf\xbd|c"});
  CHECK(read.sentences[0].spans == Spans{{3, 7}, {8, 11}, {12, 13}});
  CHECK(read.counters.invalid_sequences == 3);
}

TEST_CASE("strict reading names the first invalid byte") {
  for (InputOptions options : {lines(), tokens(), InputOptions{}}) {
    options.strict = true;
    try {
      read_text("fine\nbad \xc3( here\n", options);
      FAIL("nothing was thrown");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).starts_with("input: invalid UTF-8 at byte 9 "));
    }
    CHECK(read_text("caf\xc3\xa9", options).tokens() == Strings{"caf\xc3\xa9"});
  }
}

TEST_CASE("a line beyond the limit is cut without losing text") {
  const std::string word =
      "\xe2\x82\xac";  // three bytes, so that the limit falls inside a character
  std::string text;
  while (text.size() <= kMaxSentenceBytes + 100) text += word;
  const ReadText read = read_text(text + "\nnext", tokens());
  REQUIRE(read.sentences.size() == 3);
  CHECK(read.lines() == Lines{1, 1, 2});
  CHECK(read.counters.cut_sentences == 1);
  CHECK(read.counters.invalid_sequences == 0);
  CHECK(read.sentences[0].tokens + read.sentences[1].tokens == text);
  CHECK(read.sentences[1].spans.at(0) == ByteSpan{read.sentences[0].tokens.size(), text.size()});
}

TEST_CASE("a line of exactly the limit is whole") {
  const std::string text(kMaxSentenceBytes, 'a');
  CHECK(read_text(text + "\n", tokens()).tokens() == Strings{text});
  CHECK(read_text(text, tokens()).counters.cut_sentences == 0);
  CHECK(read_text(text + "\na", tokens()).tokens() == Strings{text, "a"});
}

TEST_CASE("a word of a million characters of four bytes is one token") {
  std::string word;
  for (int i = 0; i < 1000000; ++i) word += "\xf0\x90\x90\x80";  // DESERET CAPITAL LETTER LONG I
  CHECK(read_text(word, tokens()).tokens() == Strings{word});
  CHECK(read_text(word, lines()).tokens() == Strings{word});
  CHECK(read_text(word, {}).tokens() == Strings{word});
}

}  // namespace elmo
