#include "core/inference/token_cache.h"

#include <algorithm>
#include <utility>

namespace elmo {

namespace {

// Bytes of an entry besides its text and values: list and hash nodes, allocator overhead.
constexpr std::size_t kEntryOverhead = 192;

}  // namespace

TokenCache::TokenCache(std::int64_t width, std::size_t max_bytes)
    : width_(static_cast<std::size_t>(width)), max_bytes_(max_bytes) {}

std::size_t TokenCache::bytes_of(std::string_view token) const {
  return token.size() + width_ * sizeof(float) + kEntryOverhead;
}

bool TokenCache::find(std::string_view token, float* to) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(token);
  if (found == places_.end()) return false;
  entries_.splice(entries_.begin(), entries_, found->second);
  std::copy(found->second->vector.begin(), found->second->vector.end(), to);
  return true;
}

void TokenCache::insert(std::string_view token, const float* vector) {
  const std::lock_guard lock(mutex_);
  if (bytes_of(token) > max_bytes_ || places_.contains(token)) return;
  entries_.push_front({std::string(token), AlignedVector<float>(vector, vector + width_)});
  places_.emplace(entries_.front().token, entries_.begin());
  bytes_ += bytes_of(token);
  while (bytes_ > max_bytes_) {
    const Entry& oldest = entries_.back();
    bytes_ -= bytes_of(oldest.token);
    places_.erase(oldest.token);
    entries_.pop_back();
  }
}

}  // namespace elmo
