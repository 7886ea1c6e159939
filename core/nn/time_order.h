// Rows of packed sequences in time order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/matrix.h"

namespace elmo {

/// Returns the sequence numbers, longest sequence first; sequences of equal length keep their
/// order. Any thread.
std::vector<std::int64_t> longest_first(const Sequences& sequences);

/// The order in which an RNN processes rows: the first step of all sequences, then the second, and
/// so on. The rows of a step, of the sequences that have not ended, are consecutive. One thread.
class TimeOrder {
 public:
  /// `chosen`: sequence numbers, longest first. `reversed`: each sequence starts at its end.
  void set(const Sequences& sequences, std::span<const std::int64_t> chosen, bool reversed);

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::size_t steps() const { return step_begins_.size() - 1; }
  /// The first position of step `t` in this order.
  std::int64_t begin(std::size_t t) const { return step_begins_[t]; }
  /// The number of sequences with more than `t` rows.
  std::int64_t lanes(std::size_t t) const { return step_begins_[t + 1] - step_begins_[t]; }
  /// The row of the packed matrix at position `n` of this order.
  std::int64_t row(std::int64_t n) const { return rows_[static_cast<std::size_t>(n)]; }

  /// to[n] = rows[row(n)], columns [column, column + columns).
  void gather(const Matrix& rows, std::int64_t column, std::int64_t columns, float* to) const;
  /// As gather, whole rows, for n in [first, end) only. Threads may gather different parts at once.
  void gather_part(const Matrix& rows, std::int64_t first, std::int64_t end, float* to) const;
  /// The inverse: rows[row(n)] = from[n] for n in [first, end).
  void scatter_part(const float* from, std::int64_t first, std::int64_t end, Matrix& rows) const;

 private:
  std::vector<std::int64_t> step_begins_ = {0};
  std::vector<std::int64_t> rows_;
};

}  // namespace elmo
