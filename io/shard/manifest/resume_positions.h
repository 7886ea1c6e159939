// The positions that a stopped run may resume from, as they are found in the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "io/shard/manifest/input_account.h"

namespace elmo {

/// Keeps positions until a shard has ended behind them, at most `kMax`: of more, those are dropped
/// that are near others for how far back they are. Reading is ahead of writing by some sentences;
/// what a resumed run reads in vain is a small share of them, whatever the input. Any thread.
class ResumePositions {
 public:
  static constexpr std::size_t kMax = 1024;

  /// `position` is that of a sentence behind those of all positions before.
  void add(ResumePosition position);

  /// The last position kept at or before sentence `next`, which never decreases; those before it
  /// are dropped. Nothing where none is there.
  std::optional<ResumePosition> last_before(std::uint64_t next);

  std::size_t size() const;

 private:
  void drop_within(std::uint64_t share);

  mutable std::mutex mutex_;
  std::vector<ResumePosition> positions_;  ///< in order
};

}  // namespace elmo
