// How long it takes to pass text and activations on: the stages of `embed` around the model, and
// all of it.
#pragma once

#include <filesystem>
#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/text.h"

namespace elmo {

/// Seconds from the whole text to its tokens, in one thread.
double tokenizer_seconds(const Measuring& measuring, const BenchText& text);

struct WriterTimes {
  double seconds = 0.0;
  double bytes_per_second = 0.0;
};

/// From activations of the sentences `sample` (random ones) to published shards in `folder`, which
/// is made and removed.
WriterTimes writer_times(const Measuring& measuring, const Bilm& model,
                         std::span<const Sentence> sample, const std::filesystem::path& folder);

/// Seconds of one run from text to shards in `folder`, which is made and removed.
double embed_seconds(const Measuring& measuring, const Bilm& model, const BenchText& text,
                     const EmbedOptions& options, const std::filesystem::path& folder);

}  // namespace elmo
