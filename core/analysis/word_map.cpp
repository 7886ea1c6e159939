#include "core/analysis/word_map.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/kernels/row_kernels.h"

namespace elmo {
namespace {

using Rows =
    Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// Vectors count as equal, up to rounding, if the sum of their squared distances from the mean is
// less than this share of the sum of their squared lengths.
constexpr double kEqual = 1e-12;
// A component with less than this share of the first one's variance has none.
constexpr double kNoVariance = 1e-14;
// A coordinate of less than this share of the largest one does not determine the sign.
constexpr double kMiddle = 1e-6;

/// Returns the lower triangle of XᵀX or, if there are fewer rows than columns, of XXᵀ, where X is
/// `rows` less `mean`. Both have the same eigenvalues, except 0.
Eigen::MatrixXd products(const Rows& rows, const Eigen::RowVectorXd& mean) {
  constexpr Eigen::Index kTogether = 256;  // rows or columns copied at once
  const bool few = rows.rows() < rows.cols();
  const Eigen::Index size = std::min(rows.rows(), rows.cols());
  const Eigen::Index count = std::max(rows.rows(), rows.cols());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd block;
  for (Eigen::Index begin = 0; begin < count; begin += kTogether) {
    const Eigen::Index n = std::min(kTogether, count - begin);
    if (few) {
      block = rows.middleCols(begin, n).cast<double>().rowwise() - mean.segment(begin, n);
    } else {
      block = (rows.middleRows(begin, n).cast<double>().rowwise() - mean).transpose();
    }
    sum.selfadjointView<Eigen::Lower>().rankUpdate(block);
  }
  return sum;
}

/// Changes signs so that the first coordinate that is not 0 is positive.
void turn(Eigen::VectorXd& along) {
  const double middle = kMiddle * along.cwiseAbs().maxCoeff();
  const auto first =
      std::ranges::find_if(along, [&](double value) { return std::abs(value) > middle; });
  if (first != along.end() && *first < 0) along = -along;
}

}  // namespace

PrincipalPlane principal_plane(std::span<const float> vectors, std::size_t width) {
  if (width == 0 || vectors.size() % width != 0) throw std::logic_error("vectors of another width");
  const std::size_t count = vectors.size() / width;
  PrincipalPlane plane;
  plane.positions.resize(count);
  if (count == 0) return plane;

  const Rows rows(vectors.data(), static_cast<Eigen::Index>(count),
                  static_cast<Eigen::Index>(width));
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(rows.cols());
  double squares = 0.0;
  for (const auto& vector : rows.rowwise()) {
    mean += vector.cast<double>() / static_cast<double>(count);
    squares += vector.cast<double>().squaredNorm();
  }
  const Eigen::MatrixXd matrix = products(rows, mean);
  const double variance = matrix.trace();
  if (variance <= kEqual * squares) return plane;

  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  const double largest = solver.eigenvalues().tail<1>()(0);
  for (Eigen::Index c = 0; c < std::min<Eigen::Index>(2, matrix.rows()); ++c) {
    const Eigen::Index number = matrix.rows() - 1 - c;  // eigenvalues ascend
    const double value = solver.eigenvalues()(number);
    if (value <= kNoVariance * largest) break;
    plane.shares[static_cast<std::size_t>(c)] = value / variance;
    Eigen::VectorXd along = solver.eigenvectors().col(number);
    if (rows.rows() < rows.cols()) {
      along *= std::sqrt(value);
    } else {
      const Eigen::RowVectorXd axis = along.transpose();
      along.resize(rows.rows());
      for (Eigen::Index k = 0; k < rows.rows(); ++k) {
        along(k) = (rows.row(k).cast<double>() - mean).dot(axis);
      }
    }
    turn(along);
    for (std::size_t k = 0; k < count; ++k) {
      (c == 0 ? plane.positions[k].x : plane.positions[k].y) = along(static_cast<Eigen::Index>(k));
    }
  }
  return plane;
}

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
