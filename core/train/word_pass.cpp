#include "core/train/word_pass.h"

#include <algorithm>
#include <cstddef>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {

void WordPass::forward(const Parameters& parameters, const TrainingBatch& batch, float* to) const {
  const AlignedVector<float>& table = parameters[*parameters.index().word_embedding].values;
  for (const std::uint32_t type : batch.types) {
    to = std::copy_n(table.data() + rows_[type] * projection_, projection_, to);
  }
}

std::vector<std::int32_t> WordPass::touched_rows(const TrainingBatch& batch) const {
  std::vector<std::int32_t> touched;
  for (const std::vector<std::uint32_t>* types : {&batch.types, &batch.read_elsewhere}) {
    for (const std::uint32_t type : *types) touched.push_back(rows_[type]);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

void WordPass::backward(const TrainingBatch& batch, const float* gradient,
                        std::span<const std::int32_t> touched, AlignedVector<float>& to) const {
  to.assign(touched.size() * static_cast<std::size_t>(projection_), 0.0F);
  for (const std::uint32_t type : batch.types) {
    const auto place = std::lower_bound(touched.begin(), touched.end(), rows_[type]);
    add(gradient, projection_, to.data() + (place - touched.begin()) * projection_);
    gradient += projection_;
  }
}

}  // namespace elmo
