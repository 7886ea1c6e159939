#include "io/text/input/odd_content.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace elmo {
namespace {

struct OddText {
  std::string_view name;
  std::string_view head;
  std::string_view said;  ///< part of the note's name of the file
};

}  // namespace

TEST_CASE("what is not plain text is named, as text and as tokens") {
  constexpr std::string_view kSubtitles = "a file of subtitles";
  for (const auto& [name, head, said] : std::vector<OddText>{
           {"a.srt", "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello.\r\n", kSubtitles},
           {"a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000 align:left\nHello.\n", kSubtitles},
           {"a.ass", "[Script Info]\nTitle: x\n", kSubtitles},
           {"a", "From ann@x.org Mon Jan  1 00:00:00 2024\nReturn-Path: <a@x.org>\n\nHi\n", "mail"},
           {"a", "From: ann@x.org\nSubject: Hello\n\nHi\n", "mail"},
           {"a",
            "<doc id=\"12\" url=\"https://en.wikipedia.org\" title=\"Anarchism\">\nAnarchism\n",
            "extracted from Wikipedia"},
           {"a.ipynb", "{\"cells\": []}", "a Jupyter notebook"},
           {"a", "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",", "a Jupyter notebook"},
           {"a", "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n", "an XML document"},
           {"a", "<!DOCTYPE html>\n<p>", "an HTML page"}}) {
    for (const InputFormat format : {InputFormat::text, InputFormat::tokens}) {
      CAPTURE(head);
      const auto found = odd_content(head, std::string(name), format);
      REQUIRE(found);
      CHECK(found->oddity == Oddity::foreign);
      CHECK(found->file.starts_with(std::string(name) + ", which is "));
      CHECK(found->file.find(said) != std::string::npos);
    }
    CHECK_FALSE(odd_content(head, std::string(name), InputFormat::conllu));
  }
}

TEST_CASE("data that raw text is not read from is named in raw text only") {
  for (const auto& [oddity, name, head] :
       std::vector<std::tuple<Oddity, std::string, std::string_view>>{
           {Oddity::records, "a.jsonl.gz", "x"},
           {Oddity::records, "a", "{\"text\": \"One.\"}\n"},
           {Oddity::records, "a", "{\n  \"text\": \"One.\"\n}\n"},
           {Oddity::records, "a", "[\n  {\"text\": \"One.\"}\n]\n"},
           {Oddity::conllu, "a.cupt", "x"},
           {Oddity::conllu, "a", "# text = It\n1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n"},
           {Oddity::vertical, "a.vert", "x"},
           {Oddity::vertical, "a", "<doc id=\"1\">\n<s>\nA\tDT\nb\tNN\nc\tNN\nd\tNN\n"},
           {Oddity::fasta, "a.faa.gz", "x"},
           {Oddity::fasta, "a", ">sp|P1|A first\nMKVLAC\n"},
           {Oddity::table, "a", "label,text\ngood,A film.\n"},
           {Oddity::table, "a", "Titel;\"Text\";Gr\u00f6\u00dfe\r\nA;Ein Film.;3\r\n"},
           {Oddity::table, "a", "id\ttext\n1\tA film.\n"}}) {
    CAPTURE(head);
    const auto found = odd_content(head, name, InputFormat::text);
    REQUIRE(found);
    CHECK(found->oddity == oddity);
    CHECK(found->file == name);
    CHECK_FALSE(odd_content(head, name, InputFormat::tokens));
  }
}

TEST_CASE("plain text is not odd") {
  for (const std::string_view head :
       {"", "\n\n", "Yes, it is.\nNo, it is not.\n", "Hello;\nWorld\n", "{a} and b\n",
        "[1] A note.\n", "{\"x\" and\n", "From here on, all is well.\nAnd so on.\n",
        "To: you\nWhere: here\n", "a --> b\n", "<b>Bold</b> text\n", "# A heading\n1 apple\n"}) {
    CAPTURE(head);
    CHECK_FALSE(odd_content(head, "a.txt", InputFormat::text));
  }
}

}  // namespace elmo
