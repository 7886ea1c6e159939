// Memory of delivered batches, for batches to come.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "core/tensor/aligned.h"

namespace elmo {

/// Large buffers that go from batch to batch: the system zeroes new memory page by page, which
/// takes as long as writing the activations into it. Any thread.
class SpareMemory {
 public:
  /// Makes `buffer` hold `size` values, none of them set, in spare memory where there is some.
  /// std::bad_alloc.
  void take(AlignedVector<float>& buffer, std::size_t size) {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        buffer = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    buffer.clear();  // or growing would copy what is in it
    // Batches are of nearly the same size: with a little more the next one fits, too.
    if (buffer.capacity() < size) buffer.reserve(size + size / 16);
    buffer.resize(size);
  }

  /// Keeps the memory of `buffer`, which is then empty. No more is kept than was ever taken at
  /// once.
  void give(AlignedVector<float>& buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::exchange(buffer, {}));
  }

 private:
  std::mutex mutex_;
  std::vector<AlignedVector<float>> spare_;
};

}  // namespace elmo
