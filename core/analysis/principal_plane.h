// Principal component analysis: the plane in which vectors differ most.
#pragma once

#include <array>
#include <cstddef>
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

}  // namespace elmo
