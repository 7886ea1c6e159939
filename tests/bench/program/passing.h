// Times of the stages of `embed` before and after the model, and of the whole run.
#pragma once

#include <filesystem>
#include <span>

#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/text.h"

namespace elmo {

/// Seconds to tokenize the whole text in one thread.
double tokenizer_seconds(const Measuring& measuring, const BenchText& text);

struct WriterTimes {
  double seconds = 0.0;
  double bytes_per_second = 0.0;
};

/// Times from random activations of the sentences in `sample` to published shards in `folder`,
/// which is created and removed.
WriterTimes writer_times(const Measuring& measuring, const Bilm& model,
                         std::span<const Sentence> sample, const std::filesystem::path& folder);

/// Seconds of one run from text to shards in `folder`, which is created and removed.
double embed_seconds(const Measuring& measuring, const Bilm& model, const BenchText& text,
                     const Resources& resources, std::uint64_t shard_bytes,
                     const std::filesystem::path& folder);

}  // namespace elmo
