#include "core/analysis/word_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace elmo {
namespace {

/// Computes the plane by Jacobi rotations of the whole covariance matrix.
PrincipalPlane plane_by_rotations(const std::vector<float>& vectors, std::size_t width) {
  const std::size_t count = vectors.size() / width;
  std::vector<double> mean(width);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    mean[i % width] += double{vectors[i]} / static_cast<double>(count);
  }
  std::vector<std::vector<double>> a(width, std::vector<double>(width));
  auto axes = a;
  for (std::size_t i = 0; i < width; ++i) {
    axes[i][i] = 1;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t k = 0; k < count; ++k) {
        a[i][j] +=
            (double{vectors[k * width + i]} - mean[i]) * (double{vectors[k * width + j]} - mean[j]);
      }
    }
  }
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (std::size_t p = 0; p < width; ++p) {
      for (std::size_t q = p + 1; q < width; ++q) {
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        for (std::size_t k = 0; k < width; ++k) {
          a[k][p] = c * a[k][p] - s * std::exchange(a[k][q], s * a[k][p] + c * a[k][q]);
          axes[k][p] =
              c * axes[k][p] - s * std::exchange(axes[k][q], s * axes[k][p] + c * axes[k][q]);
        }
        for (std::size_t k = 0; k < width; ++k) {
          a[p][k] = c * a[p][k] - s * std::exchange(a[q][k], s * a[p][k] + c * a[q][k]);
        }
      }
    }
  }
  std::vector<std::pair<double, std::size_t>> values;
  double variance = 0;
  for (std::size_t i = 0; i < width; ++i) {
    values.emplace_back(a[i][i], i);
    variance += a[i][i];
  }
  std::ranges::sort(values, std::greater());
  PrincipalPlane plane;
  plane.positions.resize(count);
  for (std::size_t c = 0; c < 2; ++c) {
    plane.shares[c] = values[c].first / variance;
    for (std::size_t k = 0; k < count; ++k) {
      double& along = c == 0 ? plane.positions[k].x : plane.positions[k].y;
      for (std::size_t i = 0; i < width; ++i) {
        along += axes[i][values[c].second] * (double{vectors[k * width + i]} - mean[i]);
      }
    }
    const auto sign = [&](PrincipalPlane::Position& at) -> double& { return c == 0 ? at.x : at.y; };
    if (sign(plane.positions.front()) > 0) continue;
    for (PrincipalPlane::Position& at : plane.positions) sign(at) = -sign(at);
  }
  return plane;
}

std::vector<float> made_vectors(std::size_t count, std::size_t width) {
  std::mt19937 chance(5);
  std::normal_distribution<float> normal;
  std::vector<float> vectors;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < width; ++i) {
      vectors.push_back(normal(chance) * (1 + static_cast<float>(i % 7)) + 3);
    }
  }
  return vectors;
}

TEST_CASE("planes equal those of Jacobi rotations, with more or fewer vectors than dimensions") {
  for (const auto& [count, width] :
       {std::pair<std::size_t, std::size_t>{60, 9}, {7, 20}, {20, 20}, {2001, 3}, {5, 2}, {3, 8}}) {
    CAPTURE(count);
    CAPTURE(width);
    const std::vector<float> vectors = made_vectors(count, width);
    const PrincipalPlane plane = principal_plane(vectors, width);
    const PrincipalPlane expected = plane_by_rotations(vectors, width);
    REQUIRE(plane.positions.size() == count);
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(plane.shares[c] == doctest::Approx(expected.shares[c]).epsilon(1e-9));
    }
    for (std::size_t k = 0; k < count; ++k) {
      CHECK(std::abs(plane.positions[k].x - expected.positions[k].x) < 1e-8);
      CHECK(std::abs(plane.positions[k].y - expected.positions[k].y) < 1e-8);
    }
  }
}

TEST_CASE("equal vectors have no variance, and vectors on a line only along x") {
  std::vector<float> vectors;
  for (int k = 0; k < 5; ++k) vectors.insert(vectors.end(), {0.1F, -2, 7});
  const PrincipalPlane equal = principal_plane(vectors, 3);
  CHECK(equal.shares == std::array<double, 2>{0, 0});
  CHECK(equal.positions.size() == 5);
  CHECK(principal_plane({}, 3).positions.empty());
  for (const std::size_t width : {1U, 2U, 700U}) {
    CAPTURE(width);
    vectors.assign(5 * width, 0.0F);
    for (std::size_t k = 0; k < 5; ++k) {
      vectors[k * width] = static_cast<float>(k * k);
      vectors[k * width + width - 1] = static_cast<float>(k * k);
    }
    const double length = width == 1 ? 1 : std::sqrt(2);
    const PrincipalPlane line = principal_plane(vectors, width);
    CHECK(line.shares[0] == doctest::Approx(1));
    CHECK(line.shares[1] == 0);
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(line.positions[k].x == doctest::Approx(length * (6.0 - static_cast<double>(k * k))));
      CHECK(line.positions[k].y == 0);
    }
  }
}

TEST_CASE("components of equal variance are orthogonal") {
  // For the corners of a cube, all planes are equally good.
  std::vector<float> vectors;
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) vectors.push_back(static_cast<float>(k >> i & 1));
  }
  const PrincipalPlane plane = principal_plane(vectors, 3);
  double product = 0;
  double squares[2] = {0, 0};
  for (const auto& [x, y] : plane.positions) {
    product += x * y;
    squares[0] += x * x;
    squares[1] += y * y;
  }
  CHECK(std::abs(product) < 1e-12);
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(plane.shares[c] == doctest::Approx(1.0 / 3));
    CHECK(squares[c] == doctest::Approx(2));
  }
}

TEST_CASE("the first vector off the center has positive coordinates") {
  const std::vector<float> vectors = {0, 0, 0, -4, 0, 0, 4, 0, 0, 0, 1, 0, 0, -1, 0};
  const PrincipalPlane plane = principal_plane(vectors, 3);
  CHECK(plane.positions[1].x == doctest::Approx(4));
  CHECK(plane.positions[3].y == doctest::Approx(1));
}

TEST_CASE("very large and very small numbers have a plane") {
  std::vector<float> vectors = made_vectors(30, 6);
  const PrincipalPlane expected = principal_plane(vectors, 6);
  for (const float factor : {0x1p120F, 0x1p-120F}) {
    std::vector<float> scaled = vectors;
    for (float& value : scaled) value *= factor;
    const PrincipalPlane plane = principal_plane(scaled, 6);
    for (std::size_t k = 0; k < plane.positions.size(); ++k) {
      CHECK(plane.positions[k].x / double{factor} == doctest::Approx(expected.positions[k].x));
    }
    CHECK(plane.shares[1] == doctest::Approx(expected.shares[1]));
  }
}

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
