#include "core/analysis/principal_plane.h"

// Results depend neither on the number of threads nor on the size of the processor's caches.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_CPUID
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

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

}  // namespace elmo
