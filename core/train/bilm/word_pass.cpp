#include "core/train/bilm/word_pass.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

void WordPass::forward(const TrainingBatch& batch, float* to) {
  const std::int64_t width = table_.shape[1];
  for (const std::uint32_t type : batch.types) {
    to = std::copy_n(table_.values.data() + rows_[type] * width, width, to);
  }
  std::vector<std::int32_t>& touched = table_.touched.emplace();
  for (const std::vector<std::uint32_t>* types : {&batch.types, &batch.read_elsewhere}) {
    for (const std::uint32_t type : *types) touched.push_back(rows_[type]);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
}

void WordPass::backward(const TrainingBatch& batch, const float* gradient) {
  const std::int64_t width = table_.shape[1];
  const std::vector<std::int32_t>& touched = *table_.touched;
  table_.gradient.assign(table_.gradient_size(), 0.0F);
  for (const std::uint32_t type : batch.types) {
    const auto place = std::lower_bound(touched.begin(), touched.end(), rows_[type]);
    add(gradient, width, table_.gradient.data() + (place - touched.begin()) * width);
    gradient += width;
  }
}

}  // namespace elmo
