#include "core/tasks/coref/assignment.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace elmo {
namespace {

// Rows are the smaller side. Each row is added along the shortest path to a free column, with costs
// reduced by the potentials.
class Assignment {
 public:
  explicit Assignment(const WeightTable& weights)
      : weights_(weights),
        turned_(weights.rows > weights.columns),
        rows_(static_cast<std::size_t>(std::min(weights.rows, weights.columns))),
        columns_(static_cast<std::size_t>(std::max(weights.rows, weights.columns))),
        row_potentials_(rows_ + 1, 0.0),
        column_potentials_(columns_ + 1, 0.0),
        row_of_(columns_ + 1, rows_),
        before_(columns_ + 1, columns_) {}

  double solve() {
    for (std::size_t row = 0; row < rows_; ++row) add(row);
    double sum = 0.0;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (row_of_[column] < rows_) sum += weight(row_of_[column], column);
    }
    return sum;
  }

 private:
  double weight(std::size_t row, std::size_t column) const {
    const auto stride = static_cast<std::size_t>(weights_.columns);
    return weights_.values[turned_ ? column * stride + row : row * stride + column];
  }

  // Column index columns_ is the start of the path.
  void add(std::size_t new_row) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> distances(columns_ + 1, kFar);
    std::vector<bool> done(columns_ + 1, false);
    std::size_t column = columns_;
    row_of_[column] = new_row;
    while (row_of_[column] < rows_) {
      done[column] = true;
      const std::size_t row = row_of_[column];
      std::size_t nearest = columns_;
      double least = kFar;
      for (std::size_t next = 0; next < columns_; ++next) {
        if (done[next]) continue;
        const double cost = -weight(row, next) - row_potentials_[row] - column_potentials_[next];
        if (cost < distances[next]) {
          distances[next] = cost;
          before_[next] = column;
        }
        if (distances[next] < least) {
          least = distances[next];
          nearest = next;
        }
      }
      for (std::size_t next = 0; next <= columns_; ++next) {
        if (done[next]) {
          row_potentials_[row_of_[next]] += least;
          column_potentials_[next] -= least;
        } else {
          distances[next] -= least;
        }
      }
      column = nearest;
    }
    while (column != columns_) {
      row_of_[column] = row_of_[before_[column]];
      column = before_[column];
    }
  }

  const WeightTable& weights_;
  bool turned_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> row_potentials_;
  std::vector<double> column_potentials_;
  std::vector<std::size_t> row_of_;  // of each column; rows_: free
  std::vector<std::size_t> before_;  // previous column on the path, for each column
};

}  // namespace

double best_assignment(const WeightTable& weights) { return Assignment(weights).solve(); }

}  // namespace elmo
