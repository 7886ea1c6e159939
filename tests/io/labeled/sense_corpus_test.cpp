#include "io/labeled/sense_corpus.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/error.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {

TEST_CASE("parse_sense_sentence: instances are in order, with spans, names, ids and quotes") {
  const SenseSentence read = parse_sense_sentence(
      R"({"id": "s", "tokens": ["``", "New", "York", "bank", "''"],)"
      R"( "lemmas": ["q", "new_york", "_", "bank", "q"], "pos": [".", "NOUN", "NOUN", "NOUN", "."],)"
      R"( "senses": {"3": ["bank%1", "bank%2"], "1": ["new_york%1"]}, "spans": {"1": 3, "4": 5},)"
      R"( "ne": {"1": "location"}, "ids": {"3": "t0", "0": "none"}, "more": 1})");
  CHECK(read.sentence.size() == 5);
  CHECK(read.sentence.token(0) == "\"");
  CHECK(read.sentence.token(4) == "\"");
  REQUIRE(read.instances.size() == 2);
  CHECK(read.instances[0].id == "s:1");
  CHECK(read.instances[0].begin == 1);
  CHECK(read.instances[0].end == 3);
  CHECK(read.instances[0].lemma == "new_york");
  CHECK(read.instances[0].part_of_speech == "NOUN");
  CHECK(read.instances[0].is_name);
  CHECK(read.instances[1].id == "t0");
  CHECK(read.instances[1].end == 4);
  CHECK(read.instances[1].keys == std::vector<std::string>{"bank%1", "bank%2"});
  CHECK_FALSE(read.instances[1].is_name);
}

TEST_CASE("parse_sense_sentence: the id is a string or a number") {
  const auto id_of_first = [](const std::string& id) {
    return parse_sense_sentence(
               R"({"id": )" + id +
               R"(, "tokens": ["a"], "lemmas": ["a"], "pos": ["N"], "senses": {"0": ["k"]}})")
        .instances.at(0)
        .id;
  };
  CHECK(id_of_first("\"s\"") == "s:0");
  CHECK(id_of_first("7") == "7:0");
  CHECK_THROWS_AS(id_of_first("[7]"), InputError);
}

TEST_CASE(
    "parse_sense_sentence: a sentence may have no token and no sense, but not too many tokens") {
  CHECK(parse_sense_sentence(R"({"tokens": [], "lemmas": [], "pos": [], "senses": {}})")
            .sentence.size() == 0);
  std::string list = "\"a\"";
  for (int i = 0; i < 10000; ++i) list += ",\"a\"";
  CHECK_THROWS_WITH_AS(parse_sense_sentence("{\"tokens\": [" + list + "], \"lemmas\": [" + list +
                                            "], \"pos\": [" + list + "], \"senses\": {}}"),
                       "found a sentence of 10001 tokens; expected at most 10000", InputError);
}

TEST_CASE("parse_sense_sentence: deep nesting is refused without following it") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_THROWS_WITH_AS(
      parse_sense_sentence(
          R"({"tokens": ["a"], "lemmas": ["a"], "pos": ["N"], "senses": {}, "spans": {"0": )" +
          deep + "}}"),
      "nests deeper than 32 levels; expected one JSON object a line", InputError);
}

TEST_CASE("SenseCorpus: sentences have line numbers, and blank lines are skipped") {
  const TempDir folder;
  const std::string path = (folder / "senses.jsonl").string();
  const std::string line =
      R"({"tokens": ["a"], "lemmas": ["a"], "pos": ["N"], "senses": {"0": ["k"]}})";
  std::ofstream(path) << line << "\n\n  \n" << line << "\r\n[]\n";
  SenseCorpus corpus(path);
  SenseSentence sentence;
  REQUIRE(corpus.next(sentence));
  CHECK(sentence.sentence.line == 1);
  CHECK(sentence.sentence.document->id == path);
  REQUIRE(corpus.next(sentence));
  CHECK(sentence.sentence.line == 4);
  CHECK(sentence.instances.at(0).id == ":0");
  CHECK_THROWS_WITH_AS(
      corpus.next(sentence),
      (path + ": line 5: holds []; expected one JSON object a line; fix the file").c_str(),
      InputError);
  CHECK(corpus.bytes_read() == corpus.total_bytes());
}

TEST_CASE("SenseCorpus: a file that is not UTF-8 text is refused by its first bytes") {
  const TempDir folder;
  const std::string path = (folder / "senses.jsonl").string();
  std::ofstream(path) << "\xff\xfe{";
  SenseCorpus corpus(path);
  SenseSentence sentence;
  CHECK_THROWS_WITH_AS(corpus.next(sentence), doctest::Contains("iconv -f UTF-16"), InputError);
}

TEST_CASE("read_sense_candidates: keys keep their order") {
  const TempDir folder;
  const std::string path = (folder / "candidates.tsv").string();
  for (const char* mark : {"", "\xef\xbb\xbf"}) {
    std::ofstream(path) << mark << "bank\tNOUN\tbank%2 bank%1\n\nbank\tVERB\tbank%3\n";
    const SenseCandidates candidates = read_sense_candidates(path);
    CHECK(candidates.size() == 2);
    CHECK(candidates.at({"bank", "NOUN"}) == std::vector<std::string>{"bank%2", "bank%1"});
  }
}

}  // namespace elmo
