// Positions in the input from which a stopped run may resume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "io/shard/manifest/input_account.h"

namespace elmo {

/// Keeps positions until a shard has ended after them, at most `kMax`. If there are more, positions
/// are dropped that are close to others relative to how far back they are. Reading is ahead of
/// writing by some sentences; the sentences that a resumed run reads again are a small fraction of
/// these for any input. Any thread.
class ResumePositions {
 public:
  static constexpr std::size_t kMax = 1024;

  /// Adds a position, which must be after all positions added before.
  void add(ResumePosition position);

  /// Returns the last kept position at or before sentence `next` and drops those before it; nothing
  /// if there is none. `next` must not decrease.
  std::optional<ResumePosition> last_before(std::uint64_t next);

  std::size_t size() const;

 private:
  void drop_within(std::uint64_t share);

  mutable std::mutex mutex_;
  std::vector<ResumePosition> positions_;  ///< in order
};

}  // namespace elmo
