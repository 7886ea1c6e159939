#include "core/nn/time_order.h"

#include <algorithm>
#include <numeric>

namespace elmo {

std::vector<std::int64_t> longest_first(const Sequences& sequences) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(sequences.count()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return sequences.length(a) > sequences.length(b);
  });
  return order;
}

void TimeOrder::set(const Sequences& sequences, std::span<const std::int64_t> chosen,
                    bool reversed) {
  step_begins_.assign(1, 0);
  rows_.clear();
  const std::int64_t steps = chosen.empty() ? 0 : sequences.length(chosen.front());
  for (std::int64_t t = 0; t < steps; ++t) {
    for (const std::int64_t sequence : chosen) {
      const std::int64_t length = sequences.length(sequence);
      if (length <= t) break;
      rows_.push_back(sequences.begin(sequence) + (reversed ? length - 1 - t : t));
    }
    step_begins_.push_back(size());
  }
}

void TimeOrder::gather(const Matrix& rows, std::int64_t column, std::int64_t columns,
                       float* to) const {
  for (std::int64_t n = 0; n < size(); ++n) {
    std::copy_n(rows.row(row(n)) + column, columns, to + n * columns);
  }
}

void TimeOrder::gather_part(const Matrix& rows, std::int64_t first, std::int64_t end,
                            float* to) const {
  for (std::int64_t n = first; n < end; ++n) {
    std::copy_n(rows.row(row(n)), rows.columns, to + n * rows.columns);
  }
}

void TimeOrder::scatter_part(const float* from, std::int64_t first, std::int64_t end,
                             Matrix& rows) const {
  for (std::int64_t n = first; n < end; ++n) {
    std::copy_n(from + n * rows.columns, rows.columns, rows.row(row(n)));
  }
}

}  // namespace elmo
