// A shuffled order in constant memory.
#pragma once

#include <cstdint>

namespace elmo {

/// A permutation of 0 … size−1, computed one element at a time: a Feistel network (Luby and Rackoff
/// 1988) over the next larger power of four, applied repeatedly until the result is in range (cycle
/// walking, Black and Rogaway 2002). Immutable; any thread.
class Permutation {
 public:
  /// `size` is at least 1 and at most 2^62. `key` selects the permutation.
  Permutation(std::uint64_t size, std::uint64_t key);

  /// `index` < size. Takes at most four network evaluations on average.
  std::uint64_t operator()(std::uint64_t index) const;

 private:
  std::uint64_t network(std::uint64_t value) const;

  std::uint64_t size_;
  std::uint64_t key_;
  unsigned half_bits_;
};

}  // namespace elmo
