// Word vectors, looked up by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// A lookup table. Only the rows that a batch looks up have a gradient. Not for two threads at
/// once.
class Embedding {
 public:
  /// One parameter `name` [rows, columns], all zero.
  Embedding(const std::string& name, std::int64_t rows, std::int64_t columns);

  std::int64_t columns() const { return table_.shape[1]; }
  Parameter& parameter() { return table_; }

  /// Draws values uniformly from ±√(3 / columns), so that their variance is 1 / columns.
  void initialize(std::uint64_t seed);

  /// Writes the table's rows `rows` to `to` [rows.size(), ..] from column `column` on. Keeps `rows`
  /// for backward.
  void forward(std::span<const std::int32_t> rows, Matrix& to, std::int64_t column);

  /// `gradient`: as `to` in forward. Adds to the gradient of the rows that were looked up.
  void backward(const Matrix& gradient, std::int64_t column);

 private:
  Parameter table_;
  std::vector<std::int32_t> rows_;   // rows of the last forward
  std::vector<std::int32_t> slots_;  // by row of the table: its index in `touched`, or −1
};

}  // namespace elmo
