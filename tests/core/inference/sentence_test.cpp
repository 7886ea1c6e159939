#include "core/inference/sentence.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/inference/collect.h"

namespace elmo {
namespace {

Sentence three_tokens() {
  Sentence sentence;
  sentence.line = 7;
  sentence.add("The", {10, 13});
  sentence.begin_line(8);
  sentence.add("old", {14, 17});
  sentence.add("house", {18, 23});
  return sentence;
}

TEST_CASE("a sentence returns its tokens, one by one and joined") {
  const Sentence sentence = three_tokens();
  CHECK(sentence.size() == 3);
  CHECK(sentence.token(0) == "The");
  CHECK(sentence.token(2) == "house");
  CHECK(sentence.text() == "The old house");
  CHECK(sentence.text(1, 3) == "old house");
  CHECK(sentence.text(1, 1).empty());
  CHECK(sentence.characters() == "Theoldhouse");
  CHECK(sentence.token_bytes() == 11);
  CHECK(sentence.same_tokens(three_tokens()));
  Sentence other = three_tokens();
  other.add(".", {23, 24});
  CHECK_FALSE(sentence.same_tokens(other));
  CHECK(Sentence().text().empty());
}

TEST_CASE("a token has the line at which it was added") {
  Sentence sentence = three_tokens();
  CHECK(sentence.line_of(0) == 7);
  CHECK(sentence.line_of(1) == 8);
  CHECK(sentence.line_of(2) == 8);
  sentence.set_line(3);
  CHECK(sentence.line_of(2) == 3);
}

TEST_CASE("boundaries have empty spans and shift kept tokens and line begins") {
  Sentence sentence = three_tokens();
  sentence.keep({0, 2});
  sentence.add_boundaries();
  CHECK(sentence.text() == "<S> The old house </S>");
  CHECK(sentence.spans().front() == ByteSpan{10, 10});
  CHECK(sentence.spans().back() == ByteSpan{23, 23});
  CHECK(sentence.kept_count() == 2);
  CHECK(sentence.kept_token(0) == 1);
  CHECK(sentence.kept_token(1) == 3);
  CHECK(sentence.line_of(1) == 7);
  CHECK(sentence.line_of(2) == 8);

  Sentence empty;
  empty.add_boundaries();
  CHECK(empty.text() == "<S> </S>");
}

TEST_CASE("the words of a contraction share its span, and boundaries shift them") {
  Sentence sentence;
  sentence.add("Il", {0, 2});
  const std::vector<std::string> words{"de", "le"};
  sentence.add_contraction("du", words, {3, 5});
  sentence.add_boundaries();
  CHECK(sentence.text() == "<S> Il de le </S>");
  CHECK(sentence.spans()[2] == ByteSpan{3, 5});
  CHECK(sentence.spans()[3] == ByteSpan{3, 5});
  REQUIRE(sentence.contractions().size() == 1);
  CHECK(sentence.contractions()[0].begin == 2);
  CHECK(sentence.contractions()[0].end == 4);
  CHECK(sentence.contractions()[0].text == "du");
  sentence.clear();
  CHECK(sentence.contractions().empty());
}

TEST_CASE("a sentence that keeps none of its tokens is left out, unless it has none") {
  Sentence sentence = three_tokens();
  CHECK(sentence.keeps_all());
  CHECK(sentence.kept_count() == 3);
  CHECK(sentence.kept_token(2) == 2);
  sentence.keep({});
  CHECK_FALSE(sentence.keeps_all());
  CHECK(sentence.is_left_out());
  sentence.clear();
  CHECK(sentence.size() == 0);
  CHECK(sentence.keeps_all());
  CHECK_FALSE(sentence.is_left_out());
}

TEST_CASE("long sentences are cut into pieces that are sentences") {
  ListSource source({{"a", "b", "c", "d", "e"}, {}, {"f", "g"}});
  SentenceCutter cutter(source, 2);
  std::vector<std::string> pieces;
  Sentence sentence;
  while (cutter.next(sentence)) {
    pieces.emplace_back(sentence.characters());
    CHECK(sentence.spans().size() == sentence.size());
  }
  CHECK(pieces == std::vector<std::string>{"ab", "cd", "e", "", "fg"});
  CHECK(cutter.cut_sentences() == 1);
}

TEST_CASE("the sentences of a list are returned once each, in order") {
  const std::vector<Sentence> sentences{three_tokens(), Sentence(), three_tokens()};
  SentenceList list(sentences);
  std::vector<std::size_t> sizes;
  Sentence sentence;
  while (list.next(sentence)) sizes.push_back(sentence.size());
  CHECK(sizes == std::vector<std::size_t>{3, 0, 3});
  CHECK(sentence.line == 7);
  CHECK_FALSE(list.next(sentence));
}

}  // namespace
}  // namespace elmo
