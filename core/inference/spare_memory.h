// Reuses the memory of delivered batches for later batches.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "core/tensor/aligned.h"

namespace elmo {

/// A pool of large buffers. Reusing them is faster, because the system zeroes new memory page by
/// page, which takes as long as writing the activations to it. Any thread.
class SpareMemory {
 public:
  /// Resizes `buffer` to `size` uninitialized values, in spare memory if there is any.
  /// std::bad_alloc.
  void take(AlignedVector<float>& buffer, std::size_t size) {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        buffer = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    buffer.clear();  // or growing would copy its contents
    // Batches have nearly equal sizes: with a little extra, the next one fits, too.
    if (buffer.capacity() < size) buffer.reserve(size + size / 16);
    buffer.resize(size);
  }

  /// Keeps the memory of `buffer` and leaves it empty. Never keeps more than was taken at once.
  void give(AlignedVector<float>& buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::exchange(buffer, {}));
  }

 private:
  std::mutex mutex_;
  std::vector<AlignedVector<float>> spare_;
};

}  // namespace elmo
