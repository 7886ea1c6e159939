// Finding the position in the input where a stopped run continues.
#pragma once

#include <atomic>

#include "core/inference/source.h"
#include "io/shard/write/shard_run.h"

namespace elmo {

/// Reads and drops the sentences of `source` that are published already, from `point.position` on
/// where there is one: that is where `source` begins then. InputError where they are
/// not the ones that were read then, or where a run that is complete has more of them now: the
/// input has changed. `source` yields what the run's sink was handed, so it cuts long sentences as
/// it did then. False where `stop`, which may be null, became true on the way.
bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace elmo
