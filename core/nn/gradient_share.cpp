#include "core/nn/gradient_share.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/kernels/optimizer_kernels.h"

namespace elmo {
namespace {

// Values that a worker sums at a time: few enough that every worker gets some.
constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

AlignedVector<float>& GradientShare::of(Parameter& parameter) {
  AlignedVector<float>& gradient = is_first_ ? parameter.gradient : own_[&parameter];
  gradient.resize(parameter.gradient_size());
  return gradient;
}

void GradientShare::add_to(Parameter& parameter, std::size_t first, std::size_t count) const {
  const auto found = own_.find(&parameter);
  if (found == own_.end()) return;
  add(found->second.data() + first, static_cast<std::int64_t>(count),
      parameter.gradient.data() + first);
}

void sum_shares(std::span<Parameter* const> parameters,
                std::span<const GradientShare* const> shares, Workers& workers) {
  struct Block {
    Parameter* parameter;
    std::size_t first;
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (Parameter* parameter : parameters) {
    const std::size_t size = parameter->gradient.size();
    for (std::size_t first = 0; first < size; first += kBlock) {
      blocks.push_back({parameter, first, std::min(kBlock, size - first)});
    }
  }
  workers.run(blocks.size(), [&](std::size_t index) {
    const auto& [parameter, first, count] = blocks[index];
    for (const GradientShare* share : shares) share->add_to(*parameter, first, count);
  });
}

}  // namespace elmo
