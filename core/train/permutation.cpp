#include "core/train/permutation.h"

#include <algorithm>
#include <bit>

#include "core/kernels/random.h"

namespace elmo {

Permutation::Permutation(std::uint64_t size, std::uint64_t key)
    : size_(size),
      key_(key),
      half_bits_(std::max(1U, (static_cast<unsigned>(std::bit_width(size - 1)) + 1) / 2)) {}

std::uint64_t Permutation::network(std::uint64_t value) const {
  constexpr std::uint64_t kRounds = 6;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t mixed = left ^ (random_bits(random_bits(key_, round), right) & mask);
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

std::uint64_t Permutation::operator()(std::uint64_t index) const {
  do {
    index = network(index);
  } while (index >= size_);
  return index;
}

}  // namespace elmo
