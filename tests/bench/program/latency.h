// Latency of a program that writes one sentence into a pipe and reads the result.
#pragma once

#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"

namespace elmo {

/// Seconds from the arrival of a sentence to its activations, through the whole pipeline: the
/// median over `sentences` (at least one). Each sentence arrives when the one before it is
/// answered.
double latency_seconds(const Measuring& measuring, const Bilm& model,
                       std::span<const Sentence> sentences, const Resources& resources);

}  // namespace elmo
