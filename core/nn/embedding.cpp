#include "core/nn/embedding.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

Embedding::Embedding(const std::string& name, std::int64_t rows, std::int64_t columns)
    : table_(name, {rows, columns}), slots_(static_cast<std::size_t>(rows), -1) {
  table_.touched.emplace();
  table_.clear_gradient();
  table_.decays = false;
}

void Embedding::initialize(std::uint64_t seed) {
  const float bound = std::sqrt(3.0F / static_cast<float>(columns()));
  fill_uniform(table_.values, bound, parameter_key(table_, seed));
}

void Embedding::forward(std::span<const std::int32_t> rows, Matrix& to, std::int64_t column) {
  rows_.assign(rows.begin(), rows.end());
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    std::copy_n(table_.values.data() + rows_[n] * columns(), columns(),
                to.row(static_cast<std::int64_t>(n)) + column);
  }
}

void Embedding::backward(const Matrix& gradient, std::int64_t column) {
  std::vector<std::int32_t>& touched = *table_.touched;
  for (std::size_t slot = 0; slot < touched.size(); ++slot) {
    slots_[static_cast<std::size_t>(touched[slot])] = static_cast<std::int32_t>(slot);
  }
  for (const std::int32_t row : rows_) {
    std::int32_t& slot = slots_[static_cast<std::size_t>(row)];
    if (slot >= 0) continue;
    slot = static_cast<std::int32_t>(touched.size());
    touched.push_back(row);
  }
  table_.gradient.resize(touched.size() * static_cast<std::size_t>(columns()), 0.0F);
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    const std::int64_t slot = slots_[static_cast<std::size_t>(rows_[n])];
    add(gradient.row(static_cast<std::int64_t>(n)) + column, columns(),
        table_.gradient.data() + slot * columns());
  }
  for (const std::int32_t row : touched) slots_[static_cast<std::size_t>(row)] = -1;
}

}  // namespace elmo
