// How long a program waits that writes one sentence into a pipe and reads what comes back.
#pragma once

#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"

namespace elmo {

/// Seconds from the coming of a sentence to its activations, through the whole pipeline: the median
/// over `sentences` (at least one), each of which comes once the one before it was answered.
double latency_seconds(const Measuring& measuring, const Bilm& model,
                       std::span<const Sentence> sentences, const EmbedOptions& options);

}  // namespace elmo
