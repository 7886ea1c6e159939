// Finds the position where a stopped run resumes, and skips the input before it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/inference/sentence.h"
#include "io/text/input/input_range.h"
#include "io/text/input/resume_position.h"

namespace elmo {

/// Functions by which the writer of a run queries its input.
struct InputAccount {
  /// Returns the last position at or before sentence `next`, or nothing if the input has none.
  /// `next` must not decrease. Errors: as for reading. Any thread.
  std::function<std::optional<ResumePosition>(std::uint64_t next)> position_before;
  /// Returns the counts of the part, once it has been read to its end; nothing if the input is not
  /// a part.
  std::function<std::optional<PartCounts>()> part_counts;
};

/// The point where a run continues.
struct ResumePoint {
  std::uint64_t next_sentence = 0;
  InputHash input;                         ///< hash of the sentences before
  std::vector<float> carried_state;        ///< SegmentEnd::carried_state of the last shard
  bool complete = false;                   ///< the input ends here
  std::optional<ResumePosition> position;  ///< where to start reading the input
};

/// Reads and drops the sentences of `source` that are already published. `source` begins at
/// `point.position` if there is one. It must yield what the run's sink received, so that it cuts
/// long sentences in the same way. Returns false if `stop`, which may be null, became true.
/// InputError if the input has changed: the sentences differ from those of the run, or a complete
/// run has more of them now.
bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace elmo
