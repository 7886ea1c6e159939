#include "core/analysis/clusters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace elmo {
namespace {

/// Points around `centers` directions.
std::vector<float> clouds(std::size_t count, std::size_t width, std::size_t centers, float spread,
                          unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> directions(centers * width);
  for (float& value : directions) value = normal(random);
  std::vector<float> vectors(count * width);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] = directions[(i / width % centers) * width + i % width] + spread * normal(random);
  }
  return vectors;
}

/// Cosine distances of all pairs.
std::vector<std::vector<double>> distances_of(const std::vector<float>& vectors,
                                              std::size_t width) {
  const std::size_t count = vectors.size() / width;
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) {
      sum += double{vectors[a * width + k]} * double{vectors[b * width + k]};
    }
    return sum;
  };
  std::vector<std::vector<double>> distances(count, std::vector<double>(count));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      distances[a][b] = a == b ? 0 : 1 - dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    }
  }
  return distances;
}

using Groups = std::vector<std::vector<std::size_t>>;

double mean_distance(const std::vector<std::vector<double>>& distances,
                     const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
  double sum = 0;
  for (const std::size_t a : one) {
    for (const std::size_t b : other) sum += distances[a][b];
  }
  return sum / static_cast<double>(one.size() * other.size());
}

/// Joins the two groups of least mean distance until `count` are left.
Groups average_linkage(const std::vector<std::vector<double>>& distances, std::size_t count) {
  Groups groups;
  for (std::size_t i = 0; i < distances.size(); ++i) groups.push_back({i});
  while (groups.size() > count) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t one = 0;
    std::size_t other = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        const double distance = mean_distance(distances, groups[a], groups[b]);
        if (distance >= least) continue;
        least = distance;
        one = a;
        other = b;
      }
    }
    groups[one].insert(groups[one].end(), groups[other].begin(), groups[other].end());
    std::ranges::sort(groups[one]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(other));
  }
  std::ranges::sort(groups, [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.front() < b.front();
  });
  return groups;
}

double mean_silhouette(const std::vector<std::vector<double>>& distances, const Groups& groups) {
  double sum = 0;
  for (const auto& own : groups) {
    for (const std::size_t i : own) {
      if (own.size() == 1) continue;
      const double share = static_cast<double>(own.size()) / static_cast<double>(own.size() - 1);
      const double within = mean_distance(distances, {i}, own) * share;
      double nearest = std::numeric_limits<double>::infinity();
      for (const auto& other : groups) {
        if (&other != &own) nearest = std::min(nearest, mean_distance(distances, {i}, other));
      }
      sum += (nearest - within) / std::max(nearest, within);
    }
  }
  return sum / static_cast<double>(distances.size());
}

Groups groups_of(const Clusters& clusters) {
  Groups groups(clusters.count);
  for (std::size_t i = 0; i < clusters.numbers.size(); ++i) {
    groups[clusters.numbers[i]].push_back(i);
  }
  return groups;
}

}  // namespace

TEST_CASE("cluster: average linkage and silhouettes match those of all pairs") {
  const std::size_t width = 7;
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    CAPTURE(seed);
    const std::vector<float> vectors = clouds(41, width, 1 + seed, 0.9F, seed);
    const auto distances = distances_of(vectors, width);
    double best = -1;
    std::size_t best_count = 0;
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 40U, 41U}) {
      CAPTURE(count);
      const Clusters clusters = cluster(vectors, width, count);
      const Groups expected = average_linkage(distances, count);
      CHECK(groups_of(clusters) == expected);
      if (count == 1) {
        CHECK(clusters.silhouette == 0);
        continue;
      }
      const double silhouette = mean_silhouette(distances, expected);
      CHECK(clusters.silhouette == doctest::Approx(silhouette).epsilon(1e-5));
      if (count > kMaxChosenClusters || silhouette <= best) continue;
      best = silhouette;
      best_count = count;
    }
    CHECK(cluster(vectors, width, std::nullopt).count == best_count);
  }
}

TEST_CASE("cluster: similarities are cosines with the mean of a cluster's unit vectors") {
  // Two directions at a right angle, with another length each.
  const std::vector<float> vectors{2, 0, 0, 0.5F, 0, 3, 1, 0, 6, 0};
  const Clusters clusters = cluster(vectors, 2, std::nullopt);
  CHECK(clusters.numbers == std::vector<std::size_t>{0, 1, 1, 0, 0});
  for (const double similarity : clusters.similarities) CHECK(similarity == doctest::Approx(1));
  CHECK(clusters.silhouette == doctest::Approx(1));
  CHECK(cluster(vectors, 2, 1).similarities[0] == doctest::Approx(3 / std::sqrt(13)));
}

TEST_CASE("cluster: equal vectors, and as many clusters as vectors") {
  const std::vector<float> equal(12, 1.0F);
  const Clusters clusters = cluster(equal, 3, std::nullopt);
  CHECK(clusters.count == 2);
  CHECK(clusters.numbers.size() == 4);
  CHECK(std::isfinite(clusters.silhouette));
  CHECK(cluster(equal, 3, 4).numbers == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(cluster({equal.data(), 3}, 3, 1).numbers == std::vector<std::size_t>{0});
}

}  // namespace elmo
