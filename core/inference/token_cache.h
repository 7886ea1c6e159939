// A cache of computed token vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/tensor/aligned.h"

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
  std::unordered_map<std::string_view, Entries::iterator> places_;
};

}  // namespace elmo
