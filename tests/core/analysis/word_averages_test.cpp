#include "core/analysis/word_averages.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace elmo {
namespace {

Sentence sentence_of(const std::vector<std::string>& tokens) {
  Sentence sentence;
  for (const std::string& token : tokens) sentence.add(token, {});
  return sentence;
}

TEST_CASE("vectors are summed by word, most frequent words first") {
  WordAverages words({{"x", "top"}, 1});
  CHECK(words.dimensions() == 2);
  const std::vector<Sentence> first{sentence_of({"b", "a"}), sentence_of({}), sentence_of({"b"})};
  words.write({0, first, std::vector<float>{1, 2, 10, 20, 3, 4}});
  const std::vector<Sentence> second{sentence_of({"c", "b"})};
  words.write({3, second, std::vector<float>{5, 6, 7, 8}});
  CHECK(words.size() == 3);
  const std::vector<AveragedWord> all = words.words(1);
  REQUIRE(all.size() == 3);
  CHECK(all[0].text == "b");
  CHECK(all[0].count == 3);
  CHECK(std::vector<double>(all[0].sums.begin(), all[0].sums.end()) == std::vector<double>{11, 14});
  CHECK(all[1].text == "a");  // equally frequent: ordered by bytes
  CHECK(all[2].text == "c");
  CHECK(words.words(2).size() == 1);
  CHECK(words.words(4).empty());
}

TEST_CASE("tokens that are not kept do not count, and blanks in a word become underscores") {
  WordAverages words({{"top"}, 1});
  std::vector<Sentence> sentences{sentence_of({"New York", "a", "New\tYork"})};
  sentences[0].keep({0, 2});
  words.write({0, sentences, std::vector<float>{1, 2}});
  const std::vector<AveragedWord> all = words.words(1);
  REQUIRE(all.size() == 1);
  CHECK(all[0].text == "New_York");
  CHECK(all[0].count == 2);
  CHECK(all[0].sums[0] == 3.0);
}

TEST_CASE("an empty token is an underscore in a list of words") {
  WordAverages words({{"top"}, 1});
  const std::vector<Sentence> sentences{sentence_of({"", "_"})};
  words.write({0, sentences, std::vector<float>{1, 2}});
  REQUIRE(words.words(1).size() == 1);
  CHECK(words.words(1)[0].text == "_");
  CHECK(words.words(1)[0].count == 2);
}

}  // namespace
}  // namespace elmo
