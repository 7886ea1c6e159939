// The best way to pair the rows of a table with its columns.
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

/// The largest sum of weights, each at least 0, of which no two are of the same row or column: the
/// Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987). O(r² c), r being the
/// smaller of both numbers and c the larger one. Any thread.
double best_assignment(const WeightTable& weights);

}  // namespace elmo
