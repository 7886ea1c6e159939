// Skips the input that a stopped run has already processed.
#pragma once

#include <atomic>

#include "core/inference/source.h"
#include "io/shard/write/shard_run.h"

namespace elmo {

/// Reads and drops the sentences of `source` that are already published. `source` begins at
/// `point.position` if there is one. It must yield what the run's sink received, so that it cuts
/// long sentences in the same way. Returns false if `stop`, which may be null, became true.
/// InputError if the input has changed: the sentences differ from those of the run, or a complete
/// run has more of them now.
bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace elmo
