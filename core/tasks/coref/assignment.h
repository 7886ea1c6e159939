// Maximum-weight assignment of the rows of a table to its columns.
#pragma once

#include <cstdint>
#include <vector>

namespace elmo {

/// A table of doubles: `values` [rows, columns], row-major.
struct WeightTable {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;
};

/// Returns the largest sum of weights, no two of which share a row or column: the Hungarian method
/// with potentials (Kuhn 1955; Jonker and Volgenant 1987). Weights must be at least 0. O(r² c),
/// where r is the smaller and c the larger of the numbers of rows and columns. Any thread.
double best_assignment(const WeightTable& weights);

}  // namespace elmo
