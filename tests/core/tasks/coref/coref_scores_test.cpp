// Clusters; and coreference scores of cases with known figures, compared with a second
// implementation that follows the definitions word by word.
#include "core/tasks/coref/coref_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <variant>

namespace elmo {

TEST_CASE("links grow into clusters") {
  std::vector<RowSpan> mentions;
  for (std::int64_t row = 0; row < 9; ++row) mentions.push_back({row, row + 2});
  const std::vector<MentionLink> links = {{4, 2}, {5, 3}, {7, 4}, {8, 0}};
  CHECK(linked_clusters(links, mentions) ==
        std::vector<MentionCluster>{{{0, 2}, {8, 10}}, {{2, 4}, {4, 6}, {7, 9}}, {{3, 5}, {5, 7}}});
}

namespace {

using Clusters = std::vector<MentionCluster>;

/// Clusters from "a bc def": a word is a cluster, a letter a mention.
Clusters lettered(const std::string& text) {
  Clusters clusters(1);
  for (const char letter : text) {
    if (letter == ' ') {
      clusters.emplace_back();
    } else {
      clusters.back().push_back({letter, letter + 1});
    }
  }
  return clusters;
}

ClusterScores scores_of(const Clusters& expected, const Clusters& predicted) {
  ClusterScores scores;
  scores.add(expected, predicted);
  return scores;
}

void check_agreement(const ClusterAgreement& found, double recall, double precision) {
  CHECK(found.recall() == doctest::Approx(100 * recall));
  CHECK(found.precision() == doctest::Approx(100 * precision));
}

// The figures come from the documentation of the reference scorer.
TEST_CASE("clusters of the reference scorer's documentation") {
  const Clusters key = lettered("a bc def");
  struct Case {
    const char* predicted;
    std::array<double, 2> muc, b_cubed, ceaf_e;
  };
  for (const Case& one : std::vector<Case>{
           {"a bc def", {1, 1}, {1, 1}, {1, 1}},
           {"a de", {1.0 / 3, 1}, {7.0 / 18, 1}, {0.6, 0.9}},
           {"a bcx defy z", {1, 0.6}, {1, 55.0 / 108}, {0.8857142857, 0.6642857143}},
           {"a bcx dy z", {1.0 / 3, 1.0 / 3}, {5.0 / 9, 17.0 / 42}, {2.2 / 3, 0.55}},
           {"a bcxB dy z", {1.0 / 3, 0.25}, {5.0 / 9, 5.0 / 16}, {0.6888888889, 0.5166666667}},
           {"a bcx dy Bz", {1.0 / 3, 0.25}, {5.0 / 9, 17.0 / 48}, {2.2 / 3, 0.55}},
           {"a b c d e f", {0, 0}, {0.5, 1}, {0.7222222222, 0.3611111111}},
           {"abcdef", {1, 0.6}, {1, 7.0 / 18}, {0.2222222222, 0.6666666667}}}) {
    CAPTURE(one.predicted);
    const ClusterScores scores = scores_of(key, lettered(one.predicted));
    check_agreement(scores.muc(), one.muc[0], one.muc[1]);
    check_agreement(scores.b_cubed(), one.b_cubed[0], one.b_cubed[1]);
    check_agreement(scores.ceaf_e(), one.ceaf_e[0], one.ceaf_e[1]);
  }
}

TEST_CASE("an empty document scores 0") {
  const ClusterScores scores = scores_of({}, {});
  CHECK(scores.f1() == 0.0);
  CHECK(scores_of(lettered("ab"), {}).f1() == 0.0);
  CHECK(scores_of({}, lettered("ab")).f1() == 0.0);
}

/// Returns the number of connected parts of a cluster's mentions. Two mentions are connected if
/// they are in one cluster of the other side (Vilain et al. 1995).
double plain_muc(const Clusters& own, const Clusters& others, double& whole) {
  double right = 0;
  for (const MentionCluster& cluster : own) {
    std::set<std::set<RowSpan>> parts;
    for (const RowSpan& mention : cluster) {
      std::set<RowSpan> part = {mention};
      for (const MentionCluster& other : others) {
        if (std::ranges::find(other, mention) == other.end()) continue;
        for (const RowSpan& more : cluster) {
          if (std::ranges::find(other, more) != other.end()) part.insert(more);
        }
      }
      parts.insert(part);
    }
    right += static_cast<double>(cluster.size()) - static_cast<double>(parts.size());
    whole += static_cast<double>(cluster.size()) - 1;
  }
  return right;
}

/// Returns, for each mention, the share of its cluster that is also in its other cluster.
double plain_b_cubed(const Clusters& own, const Clusters& others, double& whole) {
  double right = 0;
  for (const MentionCluster& cluster : own) {
    for (const RowSpan& mention : cluster) {
      whole += 1;
      for (const MentionCluster& other : others) {
        if (std::ranges::find(other, mention) == other.end()) continue;
        const auto common = std::ranges::count_if(cluster, [&](const RowSpan& one) {
          return std::ranges::find(other, one) != other.end();
        });
        right += static_cast<double>(common) / static_cast<double>(cluster.size());
      }
    }
  }
  return right;
}

/// Returns the best of all pairings, by trying all subsets of the columns.
double plain_assignment(const WeightTable& table) {
  const auto columns = static_cast<std::size_t>(table.columns);
  std::vector<double> best(std::size_t{1} << columns, -1.0);
  best[0] = 0.0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row) {
    for (std::size_t taken = best.size(); taken-- > 0;) {
      if (best[taken] < 0) continue;
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t bit = std::size_t{1} << column;
        if ((taken & bit) != 0) continue;
        best[taken | bit] =
            std::max(best[taken | bit], best[taken] + table.values[row * columns + column]);
      }
    }
  }
  return *std::ranges::max_element(best);
}

double plain_ceaf(const Clusters& expected, const Clusters& predicted) {
  WeightTable table{
      static_cast<std::int64_t>(expected.size()), static_cast<std::int64_t>(predicted.size()), {}};
  for (const MentionCluster& a : expected) {
    for (const MentionCluster& b : predicted) {
      const auto common = std::ranges::count_if(
          a, [&](const RowSpan& one) { return std::ranges::find(b, one) != b.end(); });
      table.values.push_back(2.0 * static_cast<double>(common) /
                             static_cast<double>(a.size() + b.size()));
    }
  }
  return plain_assignment(table);
}

/// Returns some of `count` mentions in clusters.
Clusters random_clusters(std::mt19937& generator, int count) {
  std::map<int, MentionCluster> by_number;
  const int numbers = std::uniform_int_distribution<int>(1, 8)(generator);
  for (int mention = 0; mention < count; ++mention) {
    if (std::uniform_int_distribution<int>(0, 3)(generator) == 0) continue;
    by_number[std::uniform_int_distribution<int>(1, numbers)(generator)].push_back(
        {mention, mention + 1});
  }
  Clusters clusters;
  for (auto& [number, cluster] : by_number) clusters.push_back(cluster);
  return clusters;
}

TEST_CASE("scores of 200 random clusterings") {
  std::mt19937 generator(23);
  double largest = 0.0;
  for (int round = 0; round < 200; ++round) {
    ClusterScores scores;
    std::array<double, 4> muc{};
    std::array<double, 4> b_cubed{};
    std::array<double, 4> ceaf{};
    const int documents = std::uniform_int_distribution<int>(1, 3)(generator);
    for (int document = 0; document < documents; ++document) {
      const int mentions = std::uniform_int_distribution<int>(1, 30)(generator);
      const Clusters expected = random_clusters(generator, mentions);
      const Clusters predicted = random_clusters(generator, mentions);
      scores.add(expected, predicted);
      muc[0] += plain_muc(expected, predicted, muc[1]);
      muc[2] += plain_muc(predicted, expected, muc[3]);
      b_cubed[0] += plain_b_cubed(expected, predicted, b_cubed[1]);
      b_cubed[2] += plain_b_cubed(predicted, expected, b_cubed[3]);
      ceaf[0] += plain_ceaf(expected, predicted);
      ceaf[1] += static_cast<double>(expected.size());
      ceaf[2] = ceaf[0];
      ceaf[3] += static_cast<double>(predicted.size());
    }
    const auto compare = [&](const ClusterAgreement& found, const std::array<double, 4>& plain) {
      const double recall = plain[1] == 0 ? 0 : 100 * plain[0] / plain[1];
      const double precision = plain[3] == 0 ? 0 : 100 * plain[2] / plain[3];
      largest = std::max(
          {largest, std::fabs(found.recall() - recall), std::fabs(found.precision() - precision)});
    };
    compare(scores.muc(), muc);
    compare(scores.b_cubed(), b_cubed);
    compare(scores.ceaf_e(), ceaf);
  }
  MESSAGE("largest difference " << largest);
  CHECK(largest < 0.01);
}

TEST_CASE("best assignment of random tables") {
  std::mt19937 generator(4);
  for (int round = 0; round < 200; ++round) {
    WeightTable table;
    table.rows = std::uniform_int_distribution<std::int64_t>(0, 7)(generator);
    table.columns = std::uniform_int_distribution<std::int64_t>(0, 7)(generator);
    for (std::int64_t n = 0; n < table.rows * table.columns; ++n) {
      const int draw = std::uniform_int_distribution<int>(-3, 9)(generator);
      table.values.push_back(std::max(0, draw) / 8.0);
    }
    CAPTURE(round);
    CHECK(best_assignment(table) == doctest::Approx(plain_assignment(table)));
  }
}

std::map<std::string, double> numbers_of(const std::vector<ScoreFigure>& figures,
                                         const std::string& before = "") {
  std::map<std::string, double> numbers;
  for (const ScoreFigure& figure : figures) {
    if (const auto* number = std::get_if<double>(&figure.value)) {
      numbers[before + figure.name] = *number;
    } else {
      numbers.merge(
          numbers_of(std::get<std::vector<ScoreFigure>>(figure.value), before + figure.name + "."));
    }
  }
  return numbers;
}

TEST_CASE("gold clusters of one mention are left out") {
  CorefScores scores;
  TaskRecord record;
  auto gold = std::make_shared<CorefGold>();
  gold->clusters = lettered("ab c def");
  record.gold = gold;
  scores.add(record, ClusterPrediction(lettered("ab def")));
  CHECK(scores.score() == doctest::Approx(100.0));
  const auto figures = numbers_of(scores.figures());
  CHECK(figures.size() == 10);
  CHECK(figures.at("f1") == scores.score());
  for (const char* name : {"muc", "b_cubed", "ceaf_e"}) {
    for (const char* part : {".precision", ".recall", ".f1"}) {
      CHECK(figures.at(std::string(name) + part) == doctest::Approx(100.0));
    }
  }
}

TEST_CASE("pairs of pronouns and names") {
  CorefScores scores;
  const auto add = [&](PronounGender gender, bool a, bool b, const Clusters& predicted) {
    auto gold = std::make_shared<CorefGold>();
    gold->pronoun = {{10, 11}, gender, {{{{2, 4}, a}, {{6, 8}, b}}}};
    TaskRecord record;
    record.gold = gold;
    scores.add(record, ClusterPrediction(predicted));
  };
  using enum PronounGender;
  add(masculine, true, false, {{{2, 4}, {10, 11}}});  // correct
  add(masculine, true, false, {{{0, 4}, {10, 11}}});  // ends with the name: correct
  add(masculine, false, true, {{{6, 9}, {10, 11}}});  // begins with the name: correct
  add(masculine, true, false, {{{3, 4}, {10, 11}}});  // part of the name: missed
  add(feminine, true, false, {{{6, 8}, {10, 11}}, {{2, 4}, {5, 6}}});  // the wrong one
  add(feminine, true, false, {{{2, 4}, {9, 11}}});           // the pronoun in a longer mention
  add(feminine, false, true, {{{2, 4}, {6, 8}, {10, 11}}});  // both
  add(feminine, false, false, {});
  const auto figures = numbers_of(scores.figures());
  const double masculine_f1 = 100 * 2 * 3.0 / (4 + 3);
  const double feminine_f1 = 100 * 2 * 1.0 / (3 + 3);
  CHECK(figures.size() == 4);
  CHECK(figures.at("masculine") == doctest::Approx(masculine_f1));
  CHECK(figures.at("feminine") == doctest::Approx(feminine_f1));
  CHECK(figures.at("bias") == doctest::Approx(feminine_f1 / masculine_f1));
  CHECK(figures.at("f1") == doctest::Approx(100 * 2 * 4.0 / (7 + 6)));
  CHECK(scores.score() == figures.at("f1"));
}

}  // namespace
}  // namespace elmo
