#include "core/analysis/clusters.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "core/kernels/row_kernels.h"

namespace elmo {
namespace {

// Maximum distance of equal vectors.
constexpr double kMinDistance = 1e-6;

/// Two clusters that are joined, each by one of its vectors.
struct Join {
  std::size_t one;
  std::size_t other;
  float distance;
};

/// A cluster that may still be joined.
struct Joined {
  std::size_t vector = 0;  ///< one of its vectors
  std::size_t size = 1;
  float distance = 0;  ///< of its last join
};

std::vector<float> unit_vectors(std::span<const float> vectors, std::size_t width) {
  std::vector<float> units(vectors.begin(), vectors.end());
  for (std::size_t begin = 0; begin < units.size(); begin += width) {
    const auto unit = std::span(units).subspan(begin, width);
    double squares = 0;
    for (const float value : unit) squares += double{value} * double{value};
    const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
    for (float& value : unit) value = static_cast<float>(value * scale);
  }
  return units;
}

/// Joins vectors of length 1 until one cluster is left. Returns the joins, nearest first.
std::vector<Join> joins_of(std::vector<float> means, std::size_t width) {
  std::vector<Joined> clusters(means.size() / width);  // their means are the rows of `means`
  for (std::size_t row = 0; row < clusters.size(); ++row) clusters[row].vector = row;
  const auto mean = [&](std::size_t row) { return std::span(means).subspan(row * width, width); };
  std::vector<float> cosines(clusters.size());
  std::vector<float> lengths(clusters.size());  // not used
  std::vector<std::size_t> chain;  // rows; each is the nearest to the one before, and nearer to it
  std::vector<Join> joins;
  while (clusters.size() > 1) {
    if (chain.empty()) chain.push_back(0);
    const std::size_t last = chain.back();
    const auto found = std::span(cosines).first(clusters.size());
    inner_products(mean(last), means.data(), static_cast<std::int64_t>(width), found,
                   std::span(lengths).first(clusters.size()));
    found[last] = -std::numeric_limits<float>::infinity();
    const auto nearest = static_cast<std::size_t>(std::ranges::max_element(found) - found.begin());
    const std::size_t before = chain.size() > 1 ? chain[chain.size() - 2] : last;
    if (found[nearest] > found[before]) {
      chain.push_back(nearest);
      continue;
    }
    // Each is the nearest of the other.
    chain.resize(chain.size() - 2);
    const std::size_t low = std::min(last, before);
    const std::size_t high = std::max(last, before);
    Joined& one = clusters[low];
    const Joined& other = clusters[high];
    // Rounding must not make a cluster nearer than its parts.
    const float distance = std::max({1 - found[before], one.distance, other.distance});
    joins.push_back({one.vector, other.vector, distance});
    const double share = static_cast<double>(one.size) / static_cast<double>(one.size + other.size);
    std::ranges::transform(mean(low), mean(high), mean(low).begin(), [&](float a, float b) {
      return static_cast<float>(share * a + (1 - share) * b);
    });
    one = {one.vector, one.size + other.size, distance};
    const std::size_t end = clusters.size() - 1;
    if (high != end) {
      std::ranges::copy(mean(end), mean(high).begin());
      clusters[high] = clusters[end];
      std::ranges::replace(chain, end, high);
    }
    clusters.pop_back();
  }
  std::ranges::stable_sort(joins, {}, &Join::distance);
  return joins;
}

/// Sets the numbers of the clusters that the first joins make.
void set_numbers(std::span<const Join> joins, std::size_t vectors, Clusters& clusters) {
  std::vector<std::size_t> parents(vectors);  // the earlier vector is the parent
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto root = [&](std::size_t vector) {
    while (parents[vector] != vector) vector = parents[vector] = parents[parents[vector]];
    return vector;
  };
  for (const Join& join : joins) {
    const std::size_t one = root(join.one);
    const std::size_t other = root(join.other);
    parents[std::max(one, other)] = std::min(one, other);
  }
  std::vector<std::size_t> sizes(vectors);
  std::vector<std::size_t> roots;
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    if (++sizes[root(vector)] == 1) roots.push_back(vector);
  }
  std::ranges::stable_sort(roots, std::ranges::greater(),
                           [&](std::size_t at) { return sizes[at]; });
  std::vector<std::size_t> numbers(vectors);
  for (std::size_t number = 0; number < roots.size(); ++number) numbers[roots[number]] = number;
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    clusters.numbers.push_back(numbers[root(vector)]);
  }
  clusters.count = roots.size();
}

double product(std::span<const float> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Sets the similarities and the silhouette of numbered clusters.
void measure(std::span<const float> units, std::size_t width, Clusters& clusters) {
  std::vector<double> sums(clusters.count * width);
  std::vector<double> sizes(clusters.count);
  const auto sum = [&](std::size_t number) {
    return std::span(sums).subspan(number * width, width);
  };
  for (std::size_t i = 0; i < clusters.numbers.size(); ++i) {
    const auto to = sum(clusters.numbers[i]);
    ++sizes[clusters.numbers[i]];
    for (std::size_t k = 0; k < width; ++k) to[k] += double{units[i * width + k]};
  }
  std::vector<double> lengths;
  for (std::size_t number = 0; number < clusters.count; ++number) {
    const auto of = sum(number);
    lengths.push_back(std::sqrt(std::inner_product(of.begin(), of.end(), of.begin(), 0.0)));
  }
  for (std::size_t i = 0; i < clusters.numbers.size(); ++i) {
    const auto unit = units.subspan(i * width, width);
    const std::size_t own = clusters.numbers[i];
    const double with_own = product(unit, sum(own));
    clusters.similarities.push_back(lengths[own] > 0 ? with_own / lengths[own] : 0);
    double nearest = std::numeric_limits<double>::infinity();  // mean distance of another cluster
    for (std::size_t number = 0; number < clusters.count; ++number) {
      if (number == own) continue;
      nearest = std::min(nearest, 1 - product(unit, sum(number)) / sizes[number]);
    }
    if (sizes[own] < 2 || clusters.count < 2) continue;
    const double others = sizes[own] - 1;
    const double with_itself = std::inner_product(unit.begin(), unit.end(), unit.begin(), 0.0);
    const double within = std::max(0.0, 1 - (with_own - with_itself) / others);
    const double larger = std::max(within, nearest);
    if (larger > kMinDistance) clusters.silhouette += (nearest - within) / larger;
  }
  clusters.silhouette /= static_cast<double>(clusters.numbers.size());
}

}  // namespace

Clusters cluster(std::span<const float> vectors, std::size_t width,
                 std::optional<std::size_t> count) {
  const std::size_t size = vectors.size() / width;
  const std::vector<float> units = unit_vectors(vectors, width);
  const std::vector<Join> joins = joins_of(units, width);
  Clusters best;
  const std::size_t least = count.value_or(2);
  const std::size_t most = count.value_or(std::min(kMaxChosenClusters, size - 1));
  for (std::size_t number = least; number <= most; ++number) {
    Clusters clusters;
    set_numbers(std::span(joins).first(size - number), size, clusters);
    measure(units, width, clusters);
    if (number == least || clusters.silhouette > best.silhouette) best = std::move(clusters);
  }
  return best;
}

}  // namespace elmo
