#include "core/analysis/principal_plane.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/kernels/random.h"

namespace elmo {
namespace {

using Vector = std::vector<double>;

// Vectors whose squared distances from their mean sum up to less than this share of their squared
// lengths are equal: they differ by rounding at most.
constexpr double kEqual = 1e-12;
// A component with less than this share of the variance of the first one has none.
constexpr double kNoVariance = 1e-14;
// A coordinate of less than this share of the largest one does not determine a direction.
constexpr double kMiddle = 1e-6;

double product(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void scale(Vector& vector, double factor) {
  for (double& value : vector) value *= factor;
}

/// A symmetric matrix [size, size].
struct Symmetric {
  std::size_t size;
  Vector values;

  double* row(std::size_t index) { return values.data() + index * size; }
};

/// Returns the sum of v vᵀ over `count` vectors v of `size` numbers. fill(k, v) sets v to vector k.
Symmetric sum_of_squares(std::size_t count, std::size_t size,
                         const std::function<void(std::size_t, Vector&)>& fill) {
  // Several vectors at a time, so that the matrix is read and written less often. The rest is 0.
  constexpr std::size_t kTogether = 4;
  Symmetric sum{size, Vector(size * size)};
  std::array<Vector, kTogether> v;
  for (std::size_t begin = 0; begin < count; begin += kTogether) {
    for (std::size_t k = 0; k < kTogether; ++k) {
      v[k].assign(size, 0.0);
      if (begin + k < count) fill(begin + k, v[k]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      double* const row = sum.row(i);
      const double factors[kTogether] = {v[0][i], v[1][i], v[2][i], v[3][i]};
      for (std::size_t j = i; j < size; ++j) {
        row[j] += factors[0] * v[0][j] + factors[1] * v[1][j] + factors[2] * v[2][j] +
                  factors[3] * v[3][j];
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) sum.row(i)[j] = sum.row(j)[i];
  }
  return sum;
}

/// A symmetric matrix H T Hᵀ with a tridiagonal T and a product of reflections H.
struct Tridiagonal {
  Vector diagonal;
  Vector beside;                    ///< T[k, k + 1]
  std::vector<Vector> reflections;  ///< unit vectors of the rows from k + 1 on; empty: none
};

/// Tridiagonalizes a matrix by reflections (Householder; Golub and Van Loan 2013, section 8.3.1).
Tridiagonal tridiagonalized(Symmetric matrix) {
  const std::size_t size = matrix.size;
  Tridiagonal result;
  for (std::size_t k = 0; k < size; ++k) {
    result.diagonal.push_back(matrix.row(k)[k]);
    if (k + 1 == size) break;
    Vector v(matrix.row(k) + k + 1, matrix.row(k) + size);
    const double length = std::sqrt(product(v, v));
    const double beside = v[0] > 0 ? -length : length;
    if (std::abs(v[0]) == length) {  // the rest of the row is 0
      result.beside.push_back(v[0]);
      result.reflections.emplace_back();
      continue;
    }
    v[0] -= beside;
    scale(v, 1 / std::sqrt(product(v, v)));
    // The rest of the matrix, A, becomes (I − 2 v vᵀ) A (I − 2 v vᵀ) = A − 2 v wᵀ − 2 w vᵀ.
    Vector w(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double* const row = matrix.row(k + 1 + i) + k + 1;
      for (std::size_t j = 0; j < v.size(); ++j) w[j] += v[i] * row[j];
    }
    const double overlap = product(v, w);
    for (std::size_t i = 0; i < v.size(); ++i) w[i] -= overlap * v[i];
    for (std::size_t i = 0; i < v.size(); ++i) {
      double* const row = matrix.row(k + 1 + i) + k + 1;
      const double twice_v = 2 * v[i];
      const double twice_w = 2 * w[i];
      for (std::size_t j = 0; j < v.size(); ++j) row[j] -= twice_v * w[j] + twice_w * v[j];
    }
    result.beside.push_back(beside);
    result.reflections.push_back(std::move(v));
  }
  return result;
}

/// Returns a bound of the magnitude of all eigenvalues.
double bound_of(const Tridiagonal& matrix) {
  double bound = 0.0;
  for (std::size_t k = 0; k < matrix.diagonal.size(); ++k) {
    bound = std::max(bound, std::abs(matrix.diagonal[k]) +
                                (k > 0 ? std::abs(matrix.beside[k - 1]) : 0.0) +
                                (k < matrix.beside.size() ? std::abs(matrix.beside[k]) : 0.0));
  }
  return bound;
}

/// Returns the number of eigenvalues that are less than `value`, by the signs of a factorization
/// (section 8.4.1).
std::size_t eigenvalues_below(const Tridiagonal& matrix, double value, double bound) {
  const double least = bound * std::numeric_limits<double>::epsilon() *
                       std::numeric_limits<double>::epsilon();  // instead of 0
  std::size_t count = 0;
  double pivot = 1.0;
  for (std::size_t k = 0; k < matrix.diagonal.size(); ++k) {
    const double beside = k > 0 ? matrix.beside[k - 1] : 0.0;
    pivot = matrix.diagonal[k] - value - beside * beside / pivot;
    if (std::abs(pivot) < least) pivot = -least;
    if (pivot < 0) ++count;
  }
  return count;
}

/// Returns eigenvalue number `number`, from 0 in ascending order, by bisection.
double eigenvalue(const Tridiagonal& matrix, std::size_t number) {
  const double bound = bound_of(matrix);
  double low = -bound;
  double high = bound;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (eigenvalues_below(matrix, middle, bound) > number ? high : low) = middle;
  }
}

/// Solves (T − value) x = b for `x`, which holds b, by elimination with row exchanges.
void solve(const Tridiagonal& matrix, double value, double bound, Vector& x) {
  const std::size_t size = x.size();
  const double least = bound * std::numeric_limits<double>::epsilon();  // instead of 0
  std::vector<std::array<double, 3>> rows(size);                        // from the diagonal on
  const auto below = [&](std::size_t k) { return k < size - 1 ? matrix.beside[k] : 0.0; };
  std::array<double, 3> row{matrix.diagonal[0] - value, below(0), 0.0};
  for (std::size_t k = 0; k < size; ++k) {
    if (k + 1 < size) {
      std::array<double, 3> next{matrix.beside[k], matrix.diagonal[k + 1] - value, below(k + 1)};
      if (std::abs(next[0]) > std::abs(row[0])) {
        std::swap(row, next);
        std::swap(x[k], x[k + 1]);
      }
      if (std::abs(row[0]) < least) row[0] = least;
      const double factor = next[0] / row[0];
      rows[k] = row;
      x[k + 1] -= factor * x[k];
      row = {next[1] - factor * row[1], next[2] - factor * row[2], 0.0};
    } else {
      if (std::abs(row[0]) < least) row[0] = least;
      rows[k] = row;
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    if (k + 1 < size) x[k] -= rows[k][1] * x[k + 1];
    if (k + 2 < size) x[k] -= rows[k][2] * x[k + 2];
    x[k] /= rows[k][0];
  }
}

/// Returns a unit eigenvector of T, orthogonal to `other` unless that is empty, by inverse
/// iteration.
Vector eigenvector(const Tridiagonal& matrix, double value, const Vector& other) {
  constexpr int kIterations = 5;
  const double bound = bound_of(matrix);
  Vector x(matrix.diagonal.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = 0.5 + static_cast<double>(random_bits(0, k) >> 11U) * 0x1p-53;  // orthogonal to none
  }
  const auto normalize = [&] {
    if (!other.empty()) {
      const double overlap = product(other, x);
      for (std::size_t k = 0; k < x.size(); ++k) x[k] -= overlap * other[k];
    }
    scale(x, 1 / std::sqrt(product(x, x)));
  };
  normalize();
  for (int i = 0; i < kIterations; ++i) {
    solve(matrix, value, bound, x);
    scale(x, 1 / std::abs(*std::ranges::max_element(x, {}, [](double v) { return std::abs(v); })));
    normalize();
  }
  return x;
}

/// Returns H x: an eigenvector of the matrix that was tridiagonalized, from one of T.
Vector reflected(const Tridiagonal& matrix, Vector x) {
  for (std::size_t k = matrix.reflections.size(); k-- > 0;) {
    const Vector& v = matrix.reflections[k];
    double overlap = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) overlap += v[i] * x[k + 1 + i];
    for (std::size_t i = 0; i < v.size(); ++i) x[k + 1 + i] -= 2 * overlap * v[i];
  }
  return x;
}

/// The vectors with their mean subtracted.
struct Centered {
  std::span<const float> vectors;
  std::size_t count;
  std::size_t width;
  Vector mean;

  double at(std::size_t vector, std::size_t i) const {
    return double{vectors[vector * width + i]} - mean[i];
  }
};

/// Returns the coordinates along a component. `axis` is an eigenvector of the covariance matrix
/// [width] or, if there are fewer vectors, of their products with each other [count].
Vector coordinates(const Centered& centered, const Vector& axis, double eigenvalue) {
  Vector along(centered.count);
  for (std::size_t vector = 0; vector < centered.count; ++vector) {
    if (centered.count < centered.width) {
      along[vector] = std::sqrt(eigenvalue) * axis[vector];
    } else {
      for (std::size_t i = 0; i < centered.width; ++i)
        along[vector] += axis[i] * centered.at(vector, i);
    }
  }
  double largest = 0.0;
  for (const double value : along) largest = std::max(largest, std::abs(value));
  const auto first = std::ranges::find_if(
      along, [&](double value) { return std::abs(value) > kMiddle * largest; });
  if (first != along.end() && *first < 0) scale(along, -1.0);
  return along;
}

}  // namespace

PrincipalPlane principal_plane(std::span<const float> vectors, std::size_t width) {
  if (width == 0 || vectors.size() % width != 0) {
    throw std::logic_error("vectors of another width");
  }
  Centered centered{vectors, vectors.size() / width, width, Vector(width)};
  double squares = 0.0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    centered.mean[i % width] += double{vectors[i]} / static_cast<double>(centered.count);
    squares += double{vectors[i]} * double{vectors[i]};
  }
  PrincipalPlane plane;
  plane.positions.resize(centered.count);
  double variance = 0.0;
  for (std::size_t vector = 0; vector < centered.count; ++vector) {
    for (std::size_t i = 0; i < width; ++i) {
      variance += centered.at(vector, i) * centered.at(vector, i);
    }
  }
  if (variance <= kEqual * squares) return plane;

  // The products of the vectors with each other have the eigenvalues of the covariance matrix.
  const bool few = centered.count < width;
  Symmetric matrix = few ? sum_of_squares(width, centered.count,
                                          [&](std::size_t i, Vector& v) {
                                            for (std::size_t k = 0; k < v.size(); ++k)
                                              v[k] = centered.at(k, i);
                                          })
                         : sum_of_squares(centered.count, width, [&](std::size_t k, Vector& v) {
                             for (std::size_t i = 0; i < v.size(); ++i) v[i] = centered.at(k, i);
                           });
  const std::size_t size = matrix.size;
  const Tridiagonal tridiagonal = tridiagonalized(std::move(matrix));
  Vector axis;  // the first component's, then the second one's
  double largest = 0.0;
  for (std::size_t c = 0; c < std::min<std::size_t>(2, size); ++c) {
    const double value = eigenvalue(tridiagonal, size - 1 - c);
    largest = std::max(largest, value);
    if (value <= kNoVariance * largest) break;
    axis = eigenvector(tridiagonal, value, axis);
    plane.shares[c] = value / variance;
    const Vector along = coordinates(centered, reflected(tridiagonal, axis), value);
    for (std::size_t k = 0; k < along.size(); ++k) {
      (c == 0 ? plane.positions[k].x : plane.positions[k].y) = along[k];
    }
  }
  return plane;
}

}  // namespace elmo
