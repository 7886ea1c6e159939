// The pipeline stage that computes token vectors, layer 0 of the biLM, and the memory that it
// reuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/matrix.h"
#include "core/model/bilm.h"

namespace elmo {

/// Keeps the vectors [P] of the most recently used tokens, within a number of bytes. Any thread.
class TokenCache {
 public:
  TokenCache(std::int64_t width, std::size_t max_bytes);

  /// Copies the token's vector to `to` and returns true, or returns false if it is not cached.
  bool find(std::string_view token, float* to);

  /// Adds a vector and evicts the least recently used ones if there is no room.
  void insert(std::string_view token, const float* vector);

 private:
  struct Entry {
    std::string token;
    AlignedVector<float> vector;
  };
  using Entries = std::list<Entry>;

  std::size_t bytes_of(std::string_view token) const;

  std::mutex mutex_;
  std::size_t width_;
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  Entries entries_;  // most recently used first
  std::unordered_map<std::string_view, Entries::iterator> by_token_;
};

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
    // Shrink what one long sentence enlarged; otherwise, all buffers would grow to that size.
    if (buffer.capacity() / 4 > size) AlignedVector<float>().swap(buffer);
    // Batches have nearly equal sizes: with a little extra, the next one fits, too.
    if (buffer.capacity() < size) buffer.reserve(size + size / 16);
    buffer.resize(size);
  }

  /// Keeps the memory of `buffer` and leaves it empty.
  void give(AlignedVector<float>& buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::exchange(buffer, {}));
  }

 private:
  std::mutex mutex_;
  std::vector<AlignedVector<float>> spare_;
};

/// Encodes each distinct token of a batch once, unless its vector is still cached from an earlier
/// batch. For one run. `model` must outlive it.
class EncodeStage {
 public:
  /// `cache_bytes`: maximum size of the cached vectors.
  EncodeStage(const Bilm& model, std::size_t cache_bytes);

  /// Returns the jobs that compute the vectors of the distinct tokens.
  std::vector<PipelineSteps::Job> jobs(Batch& batch);

  /// Call after the jobs. Allocates the activations from `memory` and copies the vectors to their
  /// rows.
  void fill_rows(Batch& batch, SpareMemory& memory) const;

 private:
  void encode(Batch& batch, std::size_t first, Workspace& workspace);

  const Bilm& model_;
  std::size_t width_;       // P
  std::size_t row_values_;  // values of a token's activations
  TokenCache cache_;
};

}  // namespace elmo
