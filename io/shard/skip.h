// Finding the place in the input where a stopped run goes on.
#pragma once

#include "core/inference/source.h"
#include "io/shard/shard_run.h"

namespace elmo {

/// Reads and drops the sentences of `source` that are published already. InputError where they are
/// not the ones that were read then: the input has changed. `source` yields what the run's sink was
/// handed, so it cuts long sentences as it did then.
void skip_sentences(SentenceSource& source, const ResumePoint& point);

}  // namespace elmo
