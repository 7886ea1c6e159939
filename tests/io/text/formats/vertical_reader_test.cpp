// Reading vertical corpora.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/formats/readers.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

ReadText read_vertical(std::string_view text, std::size_t column = 1) {
  InputOptions options;
  options.format = InputFormat::vertical;
  options.word_column = column;
  return read_text(text, options);
}

std::string error_of_vertical(std::string_view text, std::size_t column = 1) {
  try {
    read_vertical(text, column);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string documents_of(const ReadText& read) {
  std::string documents;
  for (const ReadSentence& sentence : read.sentences) documents += sentence.document + "|";
  return documents;
}

}  // namespace

TEST_CASE("a line is a token, and <s> a sentence") {
  const ReadText read = read_vertical(
      "<?xml version=\"1.0\"?>\n<doc id=\"d1\" title='a > b'>\n<p>\n<s n=\"1\">\nDo\tVB\tdo\n<g/>\n"
      "n't\tRB\tnot\n<hi rend=\"it\">\ngo\tVB\tgo\n</hi>\n</s>\n<s>\nA &lt; "
      "B&amp;C\tNN\n</s>\n</p>\n"
      "</doc>\n");
  CHECK(read.tokens() == Strings{"Do|n't|go", "A < B&C"});
  CHECK(read.lines() == Lines{5, 13});
  CHECK(documents_of(read) == "d1|d1|");
  REQUIRE(read.sentences.size() == 2);
  CHECK(read.sentences[0].spans[0] == ByteSpan{64, 66});
  CHECK(read.sentences[1].spans[0].end - read.sentences[1].spans[0].begin == 14);
}

TEST_CASE("the words are those of the chosen column") {
  const std::string_view text = "<s>\n1\tMen\tman\n2\twent\tgo\n</s>\n";
  CHECK(read_vertical(text, 1).tokens() == Strings{"1|2"});
  CHECK(read_vertical(text, 2).tokens() == Strings{"Men|went"});
  CHECK(read_vertical(text, 3).tokens() == Strings{"man|go"});
  CHECK(
      error_of_vertical(text, 4) ==
      "input: line 2: found 3 columns; expected a word in column 4 (vertical text); fix the file");
  CHECK(error_of_vertical("<s>\n\tNN\n").starts_with("input: line 2: found an empty column 1"));
  CHECK(error_of_vertical("a\nb\0c\n"sv).starts_with("input: line 2: found a NUL in a word"));
}

TEST_CASE("documents begin at <doc> and <text>, named by their id or the file") {
  CHECK(documents_of(read_vertical("a\n<text id=\"t&amp;1\">\nb\n</text>\n<text>\nc\n</text>\n")) ==
        "input|t&1|input|");
  CHECK(documents_of(read_vertical("<doc n='1' id='x y'>\n<text>\na\n</text>\n</doc>\n")) ==
        "x y|");
  CHECK(documents_of(read_vertical("<doc id=5>\n</doc>\n<doc id=6>\na\n</doc>\n<doc id=7>\n")) ==
        "6|");
}

TEST_CASE("without <s>, a paragraph is a sentence, and tags need not nest") {
  CHECK(read_vertical("<doc>\n<p>\na\nb\n</p>\n<p>\nc\n</p>\nd\n</doc>\n<doc>\ne\n").tokens() ==
        Strings{"a|b", "c", "d", "e"});
  CHECK(read_vertical("<s>\na\n<p>\nb\n</s>\n</p>\n<s>\nc\n<s>\nd").tokens() ==
        Strings{"a", "b", "c", "d"});
  CHECK(read_vertical("<s>\n</s>\n<s>\na\n</s>\n</s>\n").tokens() == Strings{"", "a"});
  CHECK(read_vertical("\n<doc id=\"1\">\n\n").tokens() == Strings{""});
}

TEST_CASE("tokens may look like the beginning of a tag") {
  CHECK(read_vertical("<\tSYM\n<3\tSYM\n<s>\tXX\t<s>\n<->\n<unk>\tNN\tx\n&lt;s&gt;\n").tokens() ==
        Strings{"<|<3|<s>|<->|<unk>|<s>"});
}

TEST_CASE("entities are decoded once, and others stay") {
  CHECK(read_vertical(
            "&amp;lt;\n&quot;&apos;&#39;&#x3c;\n&nbsp;\n&\n&;\n&#0;\n&#xD800;\n&#1114112;\n")
            .tokens() == Strings{"&lt;|\"''<|&nbsp;|&|&;|&#0;|&#xD800;|&#1114112;"});
}

TEST_CASE("vertical text is known by its name or its first lines") {
  CHECK(is_name_of_vertical("a.vert"));
  CHECK(is_name_of_vertical("a.vrt"));
  for (const char* head : {"<doc id=\"1\" title=\"a > b\">\n<s>\nA\tDT\tthe\nb\tNN\nc\tNN\nd\tNN\n",
                           "<s>\na\nb\nc\nd\n"}) {
    CHECK(begins_with_vertical(head));
  }
  for (const char* head :
       {"", "a\nb\nc\nd\n", "<doc id=\"1\">\nAnarchism\n\nAnarchism is a political philosophy.\n",
        "<s>\na\n", "a\tb\nc\td\ne\tf\ng\th\n", "<b>Bold</b>\na\nb\nc\nd\n"}) {
    CAPTURE(head);
    CHECK_FALSE(begins_with_vertical(head));
  }
}

}  // namespace elmo
