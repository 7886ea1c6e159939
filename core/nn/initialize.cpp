#include "core/nn/initialize.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/random_bits.h"

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
    // 24 bits, exact in float32: [−1, 1) in steps of 2^-23.
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

}  // namespace elmo
