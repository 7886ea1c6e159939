// Reading FASTA.
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

ReadText read_fasta(std::string_view text) {
  InputOptions options;
  options.format = InputFormat::fasta;
  return read_text(text, options);
}

std::string error_of_fasta(std::string_view text) {
  try {
    read_fasta(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a record is a document and a sentence, and a residue a token") {
  const ReadText read = read_fasta(
      "\xef\xbb\xbf\r\n>sp|P1|A first one\r\nMKv*\r\n\r\n>b\nAC\n\nGT  \nX\n>\tc d\nM\n>\nW");
  CHECK(read.tokens() == Strings{"M|K|v", "A|C|G|T|X", "M", "W"});
  CHECK(read.lines() == Lines{2, 5, 10, 12});
  REQUIRE(read.sentences.size() == 4);
  CHECK(read.sentences[0].document == "sp|P1|A");
  CHECK(read.sentences[1].document == "b");
  CHECK(read.sentences[2].document == "c");
  CHECK(read.sentences[3].document == "12");
  CHECK(read.sentences[0].spans == Spans{{25, 26}, {26, 27}, {27, 28}});
  CHECK(read.sentences[1].spans[2].begin == 40);
  CHECK(read.counters.documents == 4);
}

TEST_CASE("a file without a record has no sentence") {
  CHECK(read_fasta("\n \n").sentences.empty());
  CHECK(read_fasta("\n \n").counters.documents == 0);
}

TEST_CASE("bad records are named with their line") {
  CHECK(error_of_fasta("MKV\n") ==
        "input: line 1: found a sequence before the first header; expected a line that begins with "
        "> and the name of the sequence (FASTA); fix the file");
  CHECK(error_of_fasta(">a\n>b\nMK\n") ==
        "input: line 1: found a header without a sequence; expected residues after it (FASTA); fix "
        "the file");
  CHECK(error_of_fasta(">a\nMK\n>b\n\n").starts_with("input: line 3: found a header without"));
  CHECK(error_of_fasta(">a\n*\n").starts_with("input: line 2: found '*' at byte 0 of a sequence"));
  CHECK(error_of_fasta(">a\nMK1V\n") ==
        "input: line 2: found '1' at byte 2 of a sequence; expected letters, and * after the last "
        "one (FASTA); fix the file");
  CHECK(error_of_fasta(">a\nM K\n").starts_with("input: line 2: found ' ' at byte 1"));
  CHECK(error_of_fasta(">a\nM-K\n").starts_with("input: line 2: found '-' at byte 1"));
  CHECK(error_of_fasta(">a\nM\u00e9\n").starts_with("input: line 2: found '\u00e9' at byte 1"));
  CHECK(error_of_fasta(">a\nM\xff\n").starts_with("input: line 2: found '\\xff' at byte 1"));
  CHECK(error_of_fasta(">a\nM\0"sv).starts_with("input: line 2: found '\\x00' at byte 1"));
  CHECK(error_of_fasta(">a\nM*\nK\n") ==
        "input: line 3: found 'K' at byte 0 of a sequence that has ended; expected letters, and * "
        "after the last one (FASTA); fix the file");
}

TEST_CASE("a long sequence is one sentence, and one beyond the limit is cut without losing any") {
  const std::string lines(700, 'A');
  std::string text = ">titin\n";
  for (int line = 0; line < 50; ++line) text += lines + "\n";
  const ReadText read = read_fasta(text);
  REQUIRE(read.sentences.size() == 1);
  CHECK(read.sentences[0].spans.size() == 35000);

  const std::string chromosome = ">c\n" + std::string(kMaxSentenceBytes, 'A') + "CG*\n>d\nT\n";
  const ReadText cut = read_fasta(chromosome);
  REQUIRE(cut.sentences.size() == 3);
  CHECK(cut.sentences[0].spans.size() == kMaxSentenceBytes);
  CHECK(cut.sentences[1].tokens == "C|G");
  CHECK(cut.sentences[1].document == "c");
  CHECK(cut.sentences[2].document == "d");
  CHECK(cut.counters.cut_sentences == 1);
}

TEST_CASE("FASTA is known by its name or its first record") {
  for (const char* name : {"a.fasta", "b.fa", "c.faa"}) CHECK(is_name_of_fasta(name));
  CHECK_FALSE(is_name_of_fasta("alfa"));
  for (const char* head :
       {">sp|P1|A x\nMKVLA\n", ">a\nmkvlamkvlamkvlamkvlamkvlamkvlaaa\n", "\n>a\nMKVLA*\n>b\nMK"}) {
    CHECK(begins_with_fasta(head));
  }
  for (const char* head : {"", ">", ">a", ">a\n", "> quoted\nTHANKS\n", ">said\nthanks\n",
                           ">A NAME\nAND MORE\n", "MKVLA\n"}) {
    CAPTURE(head);
    CHECK_FALSE(begins_with_fasta(head));
  }
}

}  // namespace elmo
