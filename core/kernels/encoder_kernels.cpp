#include "core/kernels/encoder_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/encoder_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void pool(const float* from, std::int64_t positions, std::int64_t filters, float* to) {
  const Floats d;
  for_each_vector(filters, [&](auto part, std::int64_t at) HWY_ATTR {
    Vec largest = part.load(d, from + at);
    for (std::int64_t position = 1; position < positions; ++position) {
      largest = larger(largest, part.load(d, from + position * filters + at));
    }
    part.store(largest, d, to + at);
  });
}

void pool_recording(const float* from, std::int64_t positions, std::int64_t filters,
                    Activation activation, float* to, std::int32_t* where) {
  const Floats d;
  const Ints di;
  for_each_vector(filters, [&](auto part, std::int64_t at) HWY_ATTR {
    Vec largest = part.load(d, from + at);
    auto best = hn::Zero(di);
    for (std::int64_t position = 1; position < positions; ++position) {
      const Vec value = part.load(d, from + position * filters + at);
      const auto greater = hn::Or(hn::Gt(value, largest), hn::IsNaN(value));
      largest = hn::IfThenElse(greater, value, largest);
      best = hn::IfThenElse(hn::RebindMask(di, greater),
                            hn::Set(di, static_cast<std::int32_t>(position)), best);
    }
    part.store(activation == Activation::relu ? relu(largest) : hyperbolic_tangent(largest), d,
               to + at);
    part.store(best, di, where + at);
  });
}

void pool_backward(const PooledConvolutionGradient& task) {
  const Floats d;
  for (std::int64_t filter = 0; filter < task.filters; ++filter) {
    const float feature = task.features[filter];
    float slope = 1.0F - feature * feature;
    if (task.activation == Activation::relu) slope = feature > 0.0F ? 1.0F : 0.0F;
    const float gradient = slope * task.feature_gradient[filter];
    if (gradient == 0.0F) continue;
    task.bias_gradient[filter] += gradient;
    const float* weights = task.weights + filter * task.window;
    float* weight_gradient = task.weight_gradient + filter * task.window;
    const std::int64_t offset = task.where[filter] * task.embedding_dim;
    const float* characters = task.characters + offset;
    float* character_gradient = task.character_gradient + offset;
    for_each_vector(task.window, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec factor = hn::Set(d, gradient);
      part.store(
          hn::MulAdd(factor, part.load(d, characters + at), part.load(d, weight_gradient + at)), d,
          weight_gradient + at);
      part.store(
          hn::MulAdd(factor, part.load(d, weights + at), part.load(d, character_gradient + at)), d,
          character_gradient + at);
    });
  }
}

void highway_row_forward(float* carry, const float* carry_bias, float* transform,
                         const float* transform_bias, const float* x, std::int64_t filters,
                         float* y) {
  const Floats d;
  for_each_vector(filters, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec gate = sigmoid(hn::Add(part.load(d, carry + at), part.load(d, carry_bias + at)));
    const Vec candidate =
        relu(hn::Add(part.load(d, transform + at), part.load(d, transform_bias + at)));
    const Vec input = part.load(d, x + at);
    part.store(gate, d, carry + at);
    part.store(candidate, d, transform + at);
    part.store(hn::MulAdd(gate, hn::Sub(candidate, input), input), d, y + at);
  });
}

void highway_all_backward(float* carry, float* transform, const float* x, std::int64_t size,
                          float* gradient) {
  const Floats d;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec gate = part.load(d, carry + at);
    const Vec candidate = part.load(d, transform + at);
    const Vec y_gradient = part.load(d, gradient + at);
    const Vec gate_part = hn::Mul(y_gradient, gate);
    const Vec carried = hn::Sub(y_gradient, gate_part);
    part.store(hn::Mul(hn::Mul(carried, gate), hn::Sub(candidate, part.load(d, x + at))), d,
               carry + at);
    part.store(hn::IfThenElseZero(hn::Gt(candidate, hn::Zero(d)), gate_part), d, transform + at);
    part.store(carried, d, gradient + at);
  });
}

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

HWY_EXPORT(pool);

void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to) {
  HWY_DYNAMIC_DISPATCH(pool)(from, positions, filters, to);
  for (std::int64_t f = 0; f < filters; ++f) {
    to[f] = activation == Activation::relu ? std::max(to[f], 0.0F) : std::tanh(to[f]);
  }
}

HWY_EXPORT(pool_recording);
HWY_EXPORT(pool_backward);
HWY_EXPORT(highway_row_forward);
HWY_EXPORT(highway_all_backward);

void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to, std::int32_t* where) {
  HWY_DYNAMIC_DISPATCH(pool_recording)(from, positions, filters, activation, to, where);
}

void pooled_convolution_backward(const PooledConvolutionGradient& gradient) {
  HWY_DYNAMIC_DISPATCH(pool_backward)(gradient);
}

void highway_forward(float* carry, const float* carry_bias, float* transform,
                     const float* transform_bias, const float* x, std::int64_t rows,
                     std::int64_t filters, float* y) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t offset = row * filters;
    HWY_DYNAMIC_DISPATCH(highway_row_forward)
    (carry + offset, carry_bias, transform + offset, transform_bias, x + offset, filters,
     y + offset);
  }
}

void highway_backward(float* carry, float* transform, const float* x, std::int64_t rows,
                      std::int64_t filters, float* gradient) {
  HWY_DYNAMIC_DISPATCH(highway_all_backward)(carry, transform, x, rows * filters, gradient);
}

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
