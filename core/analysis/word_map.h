// The map of a word's occurrences: the plane in which their vectors differ most (principal
// component analysis), and their clusters (average linkage on cosine distance).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace elmo {

/// Vectors projected onto their first two principal components.
struct PrincipalPlane {
  struct Position {
    double x = 0.0;
    double y = 0.0;
  };

  std::vector<Position> positions;  ///< one per vector, in order; their mean is (0, 0)
  /// Shares of the variance along x and y. Both are 0 if all vectors are equal, that is, if their
  /// distances from the mean are less than 10^-6 of their lengths.
  std::array<double, 2> shares{};
};

/// Projects `vectors` [count, width], finite, onto the two eigenvectors of their covariance matrix
/// with the largest eigenvalues, computed directly in float64. The sign of a component is fixed:
/// the first vector whose coordinate is not 0, up to rounding, has a positive one. Takes O(count ·
/// width · m + m³) operations and 16 m² bytes, m = min(count, width), on the calling thread.
/// std::logic_error if `width` does not divide the number of values. Any thread.
PrincipalPlane principal_plane(std::span<const float> vectors, std::size_t width);

/// Clusters of vectors. The largest cluster has number 0; of equally large ones, the one with the
/// earliest vector comes first.
struct Clusters {
  std::vector<std::size_t> numbers;  ///< the cluster of each vector
  std::size_t count = 0;             ///< number of clusters
  /// Cosine of each vector with the mean of its cluster's unit vectors.
  std::vector<double> similarities;
  /// The mean silhouette of all vectors (Rousseeuw 1987), 0 for a vector that is alone.
  double silhouette = 0;
};

/// The largest number of clusters that silhouettes choose.
inline constexpr std::size_t kMaxChosenClusters = 10;

/// Clusters `vectors` [n, width], finite, into `count` clusters, 1 to n; without `count`, into 2 to
/// kMaxChosenClusters, but at most n − 1: the smallest number with the largest mean silhouette.
/// Repeatedly joins the two clusters with the least mean distance (UPGMA) along chains of nearest
/// neighbors (Murtagh 1983), which takes O(n² · width) operations and O(n · width) memory, because
/// a mean of cosines is the product of two means of unit vectors. REQUIRES: n ≥ 1; without `count`,
/// n ≥ 3. Runs on the calling thread. Any thread.
Clusters cluster(std::span<const float> vectors, std::size_t width,
                 std::optional<std::size_t> count);

}  // namespace elmo
