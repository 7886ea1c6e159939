// Clusters of a word's occurrences: agglomerative clustering by average linkage on cosine distance.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace elmo {

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
