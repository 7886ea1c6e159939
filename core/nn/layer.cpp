#include "core/nn/layer.h"

#include <cmath>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/random.h"

namespace elmo {

std::uint64_t parameter_key(const Parameter& parameter, std::uint64_t seed) {
  std::uint64_t key = random_bits(seed, parameter.name.size());
  for (const char letter : parameter.name) {
    key = random_bits(key, static_cast<unsigned char>(letter));
  }
  return key;
}

void fill_uniform(std::span<float> values, float bound, std::uint64_t key) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Uses 24 bits, which float32 holds exactly: [−1, 1) in steps of 2^-23.
    const auto bits = static_cast<std::int32_t>(random_bits(key, i) >> 40U);
    values[i] = bound * (static_cast<float>(bits) * 0x1p-23F - 1.0F);
  }
}

void initialize_lstm(Parameter& inputs, Parameter& recurrent, Parameter& bias, std::int64_t cells,
                     std::uint64_t seed) {
  for (Parameter* weights : {&inputs, &recurrent}) {
    const float bound = std::sqrt(6.0F / static_cast<float>(weights->shape[0] + cells));
    fill_uniform(weights->values, bound, parameter_key(*weights, seed));
  }
  std::fill(bias.values.begin(), bias.values.end(), 0.0F);
  std::fill_n(bias.values.begin() + 2 * cells, cells, 1.0F);
}

void initialize_glorot(Parameter& parameter, std::uint64_t seed) {
  const auto sum = static_cast<float>(parameter.shape[0] + parameter.shape[1]);
  fill_uniform(parameter.values, std::sqrt(6.0F / sum), parameter_key(parameter, seed));
}

namespace {

// Values that a worker sums at a time: few enough that every worker gets some.
constexpr std::int64_t kSumBlock = std::int64_t{1} << 16;

}  // namespace

AlignedVector<float>& GradientShare::of(Parameter& parameter) {
  AlignedVector<float>& gradient = is_first_ ? parameter.gradient : own_[&parameter];
  gradient.resize(parameter.gradient_size());
  return gradient;
}

void GradientShare::add_to(Parameter& parameter, std::int64_t first, std::int64_t end) const {
  const auto found = own_.find(&parameter);
  if (found == own_.end()) return;
  add(found->second.data() + first, end - first, parameter.gradient.data() + first);
}

void sum_shares(std::span<Parameter* const> parameters,
                std::span<const GradientShare* const> shares, Workers& workers) {
  for (Parameter* parameter : parameters) {
    const auto size = static_cast<std::int64_t>(parameter->gradient.size());
    for_blocks(size, kSumBlock, workers, [&](std::int64_t first, std::int64_t end) {
      for (const GradientShare* share : shares) share->add_to(*parameter, first, end);
    });
  }
}

namespace {

// Values that one worker processes at a time.
constexpr std::int64_t kDropBlock = std::int64_t{1} << 15;

DropoutKey key_of(const PassOptions& options, std::uint32_t mask_id) {
  return {options.seed, options.step, mask_id};
}

}  // namespace

void drop(const PassOptions& options, float rate, std::uint32_t mask_id, Workers& workers,
          Matrix& values) {
  if (!options.training || rate == 0.0F) return;
  const std::int64_t size = values.rows * values.columns;
  for_blocks(size, kDropBlock, workers, [&](std::int64_t first, std::int64_t end) {
    float* at = values.values.data() + first;
    dropout(key_of(options, mask_id), rate, first, at, end - first, at);
  });
}

float kept_factor(const PassOptions& options, float rate) {
  return options.training ? 1.0F / (1.0F - rate) : 1.0F;
}

void drop_columns(const PassOptions& options, float rate, std::uint32_t mask_id, Matrix& values,
                  std::int64_t column, std::int64_t columns) {
  if (!options.training || rate == 0.0F) return;
  for (std::int64_t row = 0; row < values.rows; ++row) {
    float* at = values.row(row) + column;
    dropout(key_of(options, mask_id), rate, row * columns, at, columns, at);
  }
}

}  // namespace elmo
