#include "io/shard/manifest/resume_positions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace elmo {

/// Drops each position between two others whose distance in sentences is at most 1 / `share` of the
/// number of sentences after them.
void ResumePositions::drop_within(std::uint64_t share) {
  const std::uint64_t last = positions_.back().sentence;
  std::size_t kept = 0;
  for (std::size_t index = 1; index + 1 < positions_.size(); ++index) {
    const std::uint64_t next = positions_[index + 1].sentence;
    if ((next - positions_[kept].sentence) * share <= last - next) continue;
    if (++kept != index) positions_[kept] = std::move(positions_[index]);
  }
  if (++kept != positions_.size() - 1) positions_[kept] = std::move(positions_.back());
  positions_.resize(kept + 1);
}

void ResumePositions::add(ResumePosition position) {
  constexpr std::uint64_t kSmallestShare = 64;
  const std::lock_guard lock(mutex_);
  for (std::uint64_t share = kSmallestShare; positions_.size() >= kMax; share /= 2) {
    drop_within(share);
  }
  positions_.push_back(std::move(position));
}

std::optional<ResumePosition> ResumePositions::last_before(std::uint64_t next) {
  const std::lock_guard lock(mutex_);
  const auto after = std::ranges::upper_bound(positions_, next, {}, &ResumePosition::sentence);
  if (after == positions_.begin()) return std::nullopt;
  positions_.erase(positions_.begin(), std::prev(after));
  return positions_.front();
}

std::size_t ResumePositions::size() const {
  const std::lock_guard lock(mutex_);
  return positions_.size();
}

}  // namespace elmo
