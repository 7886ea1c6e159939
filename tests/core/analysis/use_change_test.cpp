#include "core/analysis/use_change.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace elmo {
namespace {

using Vectors = std::vector<std::vector<float>>;

Vectors random_vectors(std::size_t count, float shift, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(shift);
  Vectors vectors(count, std::vector<float>(5));
  for (auto& vector : vectors) {
    for (float& value : vector) value = normal(random);
  }
  return vectors;
}

template <typename Number>
double distance(const std::vector<Number>& a, const std::vector<Number>& b) {
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += double{a[i]} * double{b[i]};
    squares_a += double{a[i]} * double{a[i]};
    squares_b += double{b[i]} * double{b[i]};
  }
  const double lengths = std::sqrt(squares_a * squares_b);
  return 1 - (lengths > 0 ? products / lengths : 0);
}

double mean_distance_of_pairs(const Vectors& a, const Vectors& b) {
  double sum = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (&a == &b && i == j) continue;
      sum += distance(a[i], b[j]);
      ++pairs;
    }
  }
  return sum / pairs;
}

std::vector<double> mean_of(const Vectors& vectors) {
  std::vector<double> mean(vectors.front().size());
  for (const auto& vector : vectors) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += double{vector[i]};
  }
  return mean;
}

UseSums sums_of(const Vectors& vectors) {
  UseSums sums(5);
  for (const auto& vector : vectors) sums.add(vector);
  return sums;
}

}  // namespace

TEST_CASE("UseSums::change: distances of all pairs") {
  Vectors a = random_vectors(13, 0.3F, 1);
  const Vectors b = random_vectors(8, -0.1F, 2);
  for (const bool with_zeros : {false, true}) {
    if (with_zeros) a[4].assign(5, 0.0F);
    const auto change = UseSums::change(sums_of(a), sums_of(b));
    REQUIRE(change);
    CHECK(change->apd == doctest::Approx(mean_distance_of_pairs(a, b)).epsilon(1e-9));
    CHECK(change->prt == doctest::Approx(distance(mean_of(a), mean_of(b))).epsilon(1e-9));
    CHECK(change->within1 == doctest::Approx(mean_distance_of_pairs(a, a)).epsilon(1e-9));
    CHECK(change->within2 == doctest::Approx(mean_distance_of_pairs(b, b)).epsilon(1e-9));
    CHECK(change->difference() ==
          doctest::Approx(change->apd - (change->within1 + change->within2) / 2));
  }
}

TEST_CASE("UseSums::change: fewer than two uses have no figures") {
  const UseSums one = sums_of(random_vectors(1, 0, 1));
  const UseSums two = sums_of(random_vectors(2, 0, 2));
  CHECK(one.count() == 1);
  CHECK_FALSE(UseSums::change(one, two));
  CHECK_FALSE(UseSums::change(two, UseSums(5)));
  CHECK(UseSums::change(two, two));
}

}  // namespace elmo
