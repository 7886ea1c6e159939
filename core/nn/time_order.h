// Rows of packed sequences in the order of time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/matrix.h"

namespace elmo {

/// The numbers of the sequences, the longest first; those of equal length keep their order. Any
/// thread.
std::vector<std::int64_t> longest_first(const Sequences& sequences);

/// The order in which an RNN goes over rows: those of the first step of all sequences, then those
/// of the second, so that at every step the sequences that have not ended yet are consecutive rows.
/// One thread.
class TimeOrder {
 public:
  /// `chosen`: numbers of sequences, the longest first. `reversed`: each begins at its end.
  void set(const Sequences& sequences, std::span<const std::int64_t> chosen, bool reversed);

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::size_t steps() const { return step_begins_.size() - 1; }
  /// Where step `t` begins in this order.
  std::int64_t begin(std::size_t t) const { return step_begins_[t]; }
  /// The sequences that have more than `t` rows.
  std::int64_t lanes(std::size_t t) const { return step_begins_[t + 1] - step_begins_[t]; }
  /// The row of the packed matrix that comes `n`th.
  std::int64_t row(std::int64_t n) const { return rows_[static_cast<std::size_t>(n)]; }

  /// to[n] = rows[row(n)], of `columns` numbers from `column` on.
  void gather(const Matrix& rows, std::int64_t column, std::int64_t columns, float* to) const;
  /// For n from `first` to `end` alone, whole rows. Several threads may share them out.
  void gather_part(const Matrix& rows, std::int64_t first, std::int64_t end, float* to) const;
  /// The other way: rows[row(n)] = from[n].
  void scatter_part(const float* from, std::int64_t first, std::int64_t end, Matrix& rows) const;

 private:
  std::vector<std::int64_t> step_begins_ = {0};
  std::vector<std::int64_t> rows_;
};

}  // namespace elmo
