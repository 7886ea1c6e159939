#include "core/kernels/character_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/character_table.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

// Pools `filters` filters, a multiple of two vectors, over one word. `offsets` are the offsets of
// its characters' rows in a table. `ordered`: no sum can be NaN.
void pool_filters(const float* tables, std::int64_t table_size, std::int64_t width,
                  const float* bias, std::int64_t filters, std::span<const std::int64_t> offsets,
                  Activation activation, bool ordered, float* to) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto positions = static_cast<std::int64_t>(offsets.size()) - width + 1;
  // NaN stays the largest. If no sum can be NaN, this is not checked.
  const auto larger_sum = [&](Vec largest, Vec sum) HWY_ATTR {
    return ordered ? hn::Max(largest, sum) : larger(largest, sum);
  };
  const auto finish = [&](Vec largest, std::int64_t f) HWY_ATTR {
    const Vec sum = hn::Add(largest, hn::Load(d, bias + f));
    hn::StoreU(activation == Activation::relu ? relu(sum) : hyperbolic_tangent(sum), d, to + f);
  };
  // Two vectors at a time, to read the offsets half as often.
  for (std::int64_t f = 0; f < filters; f += 2 * lanes) {
    Vec largest0 = hn::Set(d, -std::numeric_limits<float>::infinity());
    Vec largest1 = largest0;
    for (std::int64_t p = 0; p < positions; ++p) {
      const float* row = tables + f + offsets[static_cast<std::size_t>(p)];
      Vec sum0 = hn::Load(d, row);
      Vec sum1 = hn::Load(d, row + lanes);
      for (std::int64_t i = 1; i < width; ++i) {
        row = tables + f + i * table_size + offsets[static_cast<std::size_t>(p + i)];
        sum0 = hn::Add(sum0, hn::Load(d, row));
        sum1 = hn::Add(sum1, hn::Load(d, row + lanes));
      }
      largest0 = larger_sum(largest0, sum0);
      largest1 = larger_sum(largest1, sum1);
    }
    finish(largest0, f);
    finish(largest1, f + lanes);
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

namespace {

// Filters per block. Each block's tables are used for all words before the next block, so that the
// rows of the few dozen common characters stay in the L1 cache. A multiple of two vectors on every
// instruction set.
constexpr std::int64_t kBlock = 32;

}  // namespace

HWY_EXPORT(pool_filters);

CharacterTable::CharacterTable(std::span<const float> embedding, std::int64_t embedding_dim,
                               std::span<const float> weights, std::span<const float> bias,
                               std::int64_t width)
    : width_(width),
      filters_(static_cast<std::int64_t>(bias.size())),
      characters_(static_cast<std::int64_t>(embedding.size()) / embedding_dim) {
  const std::int64_t blocks = (filters_ + kBlock - 1) / kBlock;
  sums_.resize(static_cast<std::size_t>(blocks * width * characters_ * kBlock), 0.0F);
  bias_.resize(static_cast<std::size_t>(blocks * kBlock), 0.0F);
  std::copy(bias.begin(), bias.end(), bias_.begin());
  float* sums = sums_.data();
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t first = block * kBlock;
    const std::int64_t count = std::min(kBlock, filters_ - first);
    for (std::int64_t i = 0; i < width; ++i) {
      for (std::int64_t id = 0; id < characters_; ++id, sums += kBlock) {
        for (std::int64_t c = 0; c < embedding_dim; ++c) {
          const float value = embedding[static_cast<std::size_t>(id * embedding_dim + c)];
          const float* row = weights.data() + (i * embedding_dim + c) * filters_ + first;
          for (std::int64_t f = 0; f < count; ++f) sums[f] += value * row[f];
        }
      }
    }
  }
  // Sums of finite numbers may be infinite, but not NaN.
  finite_ = std::all_of(sums_.begin(), sums_.end(), [](float sum) { return std::isfinite(sum); });
}

void CharacterTable::pool(std::span<const std::span<const std::int32_t>> words,
                          Activation activation, float* to, std::int64_t stride) const {
  std::vector<std::int64_t> offsets;
  std::vector<std::size_t> ends;
  for (const std::span<const std::int32_t> word : words) {
    for (const std::int32_t id : word) offsets.push_back(id * kBlock);
    ends.push_back(offsets.size());
  }
  const std::int64_t table_size = characters_ * kBlock;
  for (std::int64_t first = 0; first < filters_; first += kBlock) {
    const float* tables = sums_.data() + first * width_ * characters_;
    std::size_t begin = 0;
    for (std::size_t w = 0; w < words.size(); ++w) {
      float results[kBlock];
      HWY_DYNAMIC_DISPATCH(pool_filters)
      (tables, table_size, width_, bias_.data() + first, kBlock,
       std::span(offsets).subspan(begin, ends[w] - begin), activation, finite_, results);
      std::copy_n(results, std::min(kBlock, filters_ - first),
                  to + static_cast<std::int64_t>(w) * stride + first);
      begin = ends[w];
    }
  }
}

}  // namespace elmo
#endif
