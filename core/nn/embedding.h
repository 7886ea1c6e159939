// Vectors of words, by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// A table whose rows are looked up. Only the rows of a batch have a gradient. Not for two threads
/// at once.
class Embedding {
 public:
  /// One parameter of that name, [rows, columns], zero.
  Embedding(const std::string& name, std::int64_t rows, std::int64_t columns);

  std::int64_t columns() const { return table_.shape[1]; }
  Parameter& parameter() { return table_; }

  /// Uniform on ±√(3 / columns), so that a number's variance is 1 / columns.
  void initialize(std::uint64_t seed);

  /// Columns `column` … of `to` [rows.size(), ..] become the rows of the table. `rows` is kept.
  void forward(std::span<const std::int32_t> rows, Matrix& to, std::int64_t column);

  /// `gradient` as `to` in forward: adds to the gradient of the rows that were looked up.
  void backward(const Matrix& gradient, std::int64_t column);

 private:
  Parameter table_;
  std::vector<std::int32_t> rows_;    // as forward was given them
  std::vector<std::int32_t> places_;  // by row of the table: its place in `touched`, or −1
};

}  // namespace elmo
