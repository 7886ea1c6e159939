#include "core/analysis/senses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace elmo {
namespace {

const ActivationLayout kLayout{{"x", "forward_1", "backward_1"}, 3};
constexpr std::int64_t kSenseValues = 9;

using SenseVector = std::vector<float>;

SenseVector random_vector(std::mt19937& chance) {
  std::normal_distribution<float> normal;
  SenseVector vector(kSenseValues);
  for (float& value : vector) value = normal(chance);
  return vector;
}

double cosine(const std::vector<double>& a, const SenseVector& b, const TokenLayer& layer) {
  double product = 0;
  double a_squares = 0;
  double b_squares = 0;
  for (auto i = static_cast<std::size_t>(layer.begin);
       i < static_cast<std::size_t>(layer.begin + layer.width); ++i) {
    product += a[i] * double{b[i]};
    a_squares += a[i] * a[i];
    b_squares += double{b[i]} * double{b[i]};
  }
  return product / std::sqrt(a_squares * b_squares);
}

}  // namespace

TEST_CASE(
    "SenseInventory: candidates keep their order, and other words have the senses in training") {
  const SenseCandidates candidates{{{"bank", "NOUN"}, {"bank%2", "bank%1"}}};
  SenseInventory inventory(candidates);
  const std::size_t bank = inventory.add({"bank", "NOUN"});
  const std::size_t run = inventory.add({"run", "VERB"});
  CHECK(inventory.add({"bank", "NOUN"}) == bank);
  CHECK(inventory.find({"run", "VERB"}) == run);
  CHECK_FALSE(inventory.find({"run", "NOUN"}));
  CHECK(inventory.word(bank).first() == 0);
  CHECK(inventory.word(bank).most_frequent() == 0);
  CHECK_FALSE(inventory.word(run).first());
  CHECK_FALSE(inventory.word(run).most_frequent());

  CHECK(inventory.count(bank, {"bank%1", "bank%9"}) == std::vector<std::size_t>{1});
  CHECK(inventory.word(bank).keys.size() == 2);
  CHECK(inventory.word(bank).most_frequent() == 1);
  CHECK(inventory.word(bank).first() == 0);

  inventory.count(run, {"run%3"});
  CHECK(inventory.count(run, {"run%4", "run%3", "run%4"}) == std::vector<std::size_t>{1, 0});
  CHECK(inventory.word(run).counts == std::vector<std::uint64_t>{2, 1});
  CHECK(inventory.word(run).first() == 0);
}

TEST_CASE("SenseSearch: answers equal those of cosines one by one, for any number of examples") {
  std::mt19937 chance(7);
  const std::size_t words = 3;
  SenseSearch search(token_layers(kLayout), kSenseValues);
  std::vector<SenseVector> questions;
  for (std::size_t q = 0; q < 20; ++q) {
    questions.push_back(random_vector(chance));
    search.add_question(q % words, questions.back());
  }
  SenseWord word;
  word.keys = {"a", "b", "c"};
  word.counts = {1, 1, 1};
  word.listed = true;
  // Word 2 has no example; the other words have more examples than are compared at once.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<SenseVector>> examples;
  for (std::size_t e = 0; e < 9001; ++e) {
    const std::size_t of = e % 4 == 3 ? 7 : e % 2;
    const std::vector<std::size_t> senses{e % 5 == 0 ? std::size_t{0} : std::size_t{2}};
    const SenseVector vector = random_vector(chance);
    search.add_example(of, senses, vector);
    examples[{of, senses[0]}].push_back(vector);
  }
  search.finish();
  for (std::size_t q = 0; q < questions.size(); ++q) {
    for (std::size_t layer = 0; layer < 2; ++layer) {
      const auto found = [&](SenseNeighbor neighbor) {
        return search.answer(q, layer, neighbor, 0, word).value();
      };
      if (q % words == 2) {
        CHECK(found(SenseNeighbor::average) == 0);
        CHECK(found(SenseNeighbor::exemplar) == 0);
        continue;
      }
      std::map<std::size_t, double> average;
      std::map<std::size_t, double> exemplar;
      for (const std::size_t sense : {0UL, 2UL}) {
        std::vector<double> sum(kSenseValues);
        double best = -2;
        for (const SenseVector& vector : examples[{q % words, sense}]) {
          std::vector<double> wide(vector.begin(), vector.end());
          best = std::max(best, cosine(wide, questions[q], search.layers()[layer]));
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += wide[i];
        }
        average[sense] = cosine(sum, questions[q], search.layers()[layer]);
        exemplar[sense] = best;
      }
      const auto larger = [](std::map<std::size_t, double>& by) {
        return by[2] > by[0] + double{SenseSearch::kTie} ? 2UL : 0UL;
      };
      CHECK(found(SenseNeighbor::average) == larger(average));
      CHECK(found(SenseNeighbor::exemplar) == larger(exemplar));
    }
  }
}

TEST_CASE("SenseSearch: of tied senses the first is chosen, and the prior weighs counts") {
  SenseSearch search(token_layers({{"top"}, 2}), 2);
  search.add_question(0, SenseVector{1, 0});
  for (const std::size_t sense : {1UL, 0UL, 0UL}) {
    search.add_example(0, std::vector{sense}, sense == 1 ? SenseVector{3, 0} : SenseVector{2, 0});
  }
  search.add_example(0, std::vector<std::size_t>{2}, SenseVector{0, 0});
  search.finish();
  SenseWord word;
  word.keys = {"a", "b", "c"};
  word.counts = {2, 1, 1};
  CHECK(search.answer(0, 0, SenseNeighbor::exemplar, 0, word) == 0);
  CHECK(search.answer(0, 0, SenseNeighbor::exemplar, -1, word) == 1);
  CHECK(search.answer(0, 0, SenseNeighbor::average, 1, word) == 0);
}

TEST_CASE("score_senses: questions without an answer lower recall only") {
  const SenseCandidates none;
  SenseInventory inventory(none);
  SenseSearch search(token_layers({{"top"}, 2}), 2);
  std::vector<SenseQuestion> questions;
  for (const char* lemma : {"known", "known", "unknown"}) {
    search.add_question(inventory.add({lemma, "NOUN"}), SenseVector{1, 0});
    questions.push_back({lemma, {questions.empty() ? "k%1" : "k%2"}});
  }
  search.add_example(0, inventory.count(0, {"k%1"}), SenseVector{1, 1});
  search.finish();
  const SenseScores scores = score_senses(search, inventory, questions, 0, 0);
  CHECK(scores.most_frequent.instances == 3);
  CHECK(scores.most_frequent.answered == 2);
  CHECK(scores.most_frequent.correct == 1);
  CHECK(scores.most_frequent.f1() == doctest::Approx(2.0 * 1 / (2 + 3)));
  REQUIRE(scores.layers.size() == 1);
  CHECK(scores.layers[0].exemplar.correct == 1);

  SenseScores sum;
  sum += scores;
  sum += scores;
  CHECK(sum.layers[0].average.instances == 6);
  CHECK(SenseCount().f1() == 0);
}

TEST_CASE(
    "SenseStream: wanted instances get the mean of their tokens, and other sentences are left "
    "out") {
  std::size_t read = 0;
  const auto sentences = [&](SenseSentence& sentence) {
    if (read == 3) return false;
    sentence = {};
    for (int token = 0; token < 4; ++token) sentence.sentence.add("t", {});
    const std::string number = std::to_string(read++);
    sentence.instances.push_back({number + "a", 0, 1, "a", "N", {"k"}, read == 2});
    if (read != 2) sentence.instances.push_back({number + "b", 1, 4, "b", "N", {"k"}, false});
    return true;
  };
  std::vector<std::string> taken;
  std::vector<SenseVector> vectors;
  SenseStream stream(
      sentences, [](const SenseInstance& at) { return !at.is_name; },
      [&](const SenseInstance& at, std::span<const float> vector) {
        taken.push_back(at.id);
        vectors.emplace_back(vector.begin(), vector.end());
      });
  std::vector<Sentence> passed;
  for (Sentence sentence; stream.next(sentence);) passed.push_back(sentence);
  REQUIRE(passed.size() == 2);
  SenseVector activations;
  for (int value = 0; value < 16; ++value) activations.push_back(static_cast<float>(value));
  stream.write({0, passed, activations});
  CHECK(taken == std::vector<std::string>{"0a", "0b", "2a", "2b"});
  CHECK(vectors[0] == SenseVector{0, 1});
  CHECK(vectors[1][0] == doctest::Approx(4));
  CHECK(vectors[3][1] == doctest::Approx(13));
}

}  // namespace elmo
