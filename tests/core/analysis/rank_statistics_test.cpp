#include "core/analysis/rank_statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace elmo {
namespace {

/// Ranks from 1 by counting; equal values share the mean.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    double less = 0;
    double equal = 0;
    for (const double other : values) {
      less += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    ranks.push_back(less + (equal + 1) / 2);
  }
  return ranks;
}

double pearson(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, products = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
    squares_a += a[i] * a[i];
    squares_b += b[i] * b[i];
    products += a[i] * b[i];
  }
  return (products - sum_a * sum_b / n) /
         std::sqrt((squares_a - sum_a * sum_a / n) * (squares_b - sum_b * sum_b / n));
}

std::vector<double> values_with_ties(std::size_t count, int different, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> value(0, different - 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(value(random) / 7.0);
  return values;
}

}  // namespace

TEST_CASE("spearman: correlation of ranks, with ties") {
  for (const int different : {2, 5, 1000}) {
    const auto a = values_with_ties(60, different, 1);
    const auto b = values_with_ties(60, 9, 2);
    const auto found = spearman(a, b);
    REQUIRE(found);
    CHECK(*found == doctest::Approx(pearson(ranks_of(a), ranks_of(b))).epsilon(1e-9));
  }
  CHECK(*spearman(std::vector<double>{1, 2, 5}, std::vector<double>{7, 8, 9}) ==
        doctest::Approx(1));
  CHECK_FALSE(spearman(std::vector<double>{1, 1, 1}, std::vector<double>{7, 8, 9}));
  CHECK_FALSE(spearman(std::vector<double>{1}, std::vector<double>{7}));
}

TEST_CASE("binary_score: pairs in order, and all thresholds") {
  for (const int different : {2, 5, 1000}) {
    CAPTURE(different);
    const auto scores = values_with_ties(50, different, 3);
    std::vector<bool> positive;
    for (const double value : values_with_ties(50, 2, 4)) positive.push_back(value > 0);
    double ordered = 0;
    double pairs = 0;
    double best = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      double right = 0;
      for (std::size_t j = 0; j < scores.size(); ++j) {
        if ((scores[j] >= scores[i]) == positive[j]) ++right;
        if (!positive[i] || positive[j]) continue;
        ordered += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        ++pairs;
      }
      best = std::max(best, right / 50);
    }
    const auto found = binary_score(scores, positive);
    REQUIRE(found);
    CHECK(found->auc == doctest::Approx(ordered / pairs).epsilon(1e-12));
    CHECK(found->accuracy == doctest::Approx(best));
    double right = 0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if ((found->threshold && scores[j] >= *found->threshold) == positive[j]) ++right;
    }
    CHECK(right / 50 == doctest::Approx(best));
  }
}

TEST_CASE("binary_score: reversed scores, and a single class") {
  const std::vector<double> scores{1, 2, 3, 4};
  const auto reversed = binary_score(scores, {true, false, false, false});
  REQUIRE(reversed);
  CHECK(reversed->auc == 0);
  CHECK(reversed->accuracy == 0.75);
  CHECK_FALSE(reversed->threshold);
  CHECK_FALSE(binary_score(scores, {true, true, true, true}));
  CHECK_FALSE(binary_score(scores, {false, false, false, false}));
}

}  // namespace elmo
