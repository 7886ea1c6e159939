#include "cli/run/dry_run_plan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

#include "cli/flags/model.h"
#include "cli/process/signals.h"
#include "cli/run/sample_sizes.h"
#include "core/inference/embed.h"
#include "core/kernels/precision_support.h"
#include "core/parallel/available_threads.h"
#include "io/model/model.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;

constexpr double kOtherSeconds = 3;         // that a precision is timed which was not asked for
constexpr std::size_t kStoredTokens = 512;  // that are written to see how they compress
constexpr double kSecondsPerHour = 3600;

class SampleSource final : public SentenceSource {
 public:
  explicit SampleSource(const std::vector<Sentence>& sentences) : sentences_(sentences) {}

  bool next(Sentence& sentence) override {
    if (next_ == sentences_.size()) return false;
    sentence = sentences_[next_++];
    return true;
  }

 private:
  const std::vector<Sentence>& sentences_;
  std::size_t next_ = 0;
};

class NoSink final : public ActivationSink {
 public:
  void write(const ActivationBatch&) override {}
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}
};

class KeepingSink final : public ActivationSink {
 public:
  void write(const ActivationBatch& batch) override {
    block.sentences.insert(block.sentences.end(), batch.sentences.begin(), batch.sentences.end());
    block.activations.insert(block.activations.end(), batch.activations.begin(),
                             batch.activations.end());
  }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

  ActivationBlock block;
};

/// The first tokens of the sample, whatever the output keeps of them.
std::vector<Sentence> first_tokens(const std::vector<Sentence>& sample) {
  std::vector<Sentence> first;
  std::size_t left = kStoredTokens;
  for (std::size_t number = 0; number < sample.size() && left > 0; ++number) {
    const Sentence& from = sample[number];
    Sentence& to = first.emplace_back();
    to.document = from.document;
    to.line = from.line;
    for (std::size_t token = 0; token < std::min(left, from.size()); ++token) {
      to.add(from.token(token), from.spans()[token]);
    }
    left -= to.size();
  }
  return first;
}

std::vector<SampleSize> stored_sizes(const Bilm& model, const std::vector<Sentence>& sample,
                                     const EmbedOptions& options) {
  EmbedOptions all;
  all.threads = options.threads;
  all.workers = options.workers;
  all.memory_bytes = options.memory_bytes;
  const std::vector<Sentence> first = first_tokens(sample);
  SampleSource source(first);
  KeepingSink sink;
  embed(model, source, sink, all, kNeverStop, [](const EmbedProgress&) {});
  return measure_sizes(sink.block, activation_layout(model.options(), all));
}

/// Of what stands beside the vectors of a token, without its text: /tokens and what its heap keeps,
/// /spans and /sentence.
std::uint64_t beside_vectors(bool packed) {
  constexpr std::uint64_t kHeapBytes = 16 + 4;  // a header, and half of what the text is filled to
  return kHeapBytes + (packed ? 5 : 16 + 16 + 8);
}

}  // namespace

double sample_rate(const Bilm& model, const std::vector<Sentence>& sample,
                   const EmbedOptions& options, double seconds) {
  SampleSource source(sample);
  NoSink sink;
  std::atomic<bool> stop{false};
  double tokens = 0;
  const steady_clock::time_point start = steady_clock::now();
  std::chrono::duration<double> time{};
  embed(model, source, sink, options, stop, [&](const EmbedProgress& done) {
    tokens = done.computed_tokens;
    time = steady_clock::now() - start;
    if (time.count() > seconds && tokens > 0) stop = true;
  });
  return tokens / time.count();
}

void measure_plan(const EmbedFlags& flags, const Bilm& model, double rate,
                  const std::vector<Sentence>& sample, std::uint64_t computed_tokens,
                  std::uint64_t text_bytes, RunPlan& plan) {
  plan.threads = threads_or_available(flags.embed.threads);
  for (const SampleSize& size : stored_sizes(model, sample, flags.embed)) {
    const bool packed = size.compression != h5::Compression::none || size.dtype == Dtype::int8;
    const auto vectors =
        static_cast<std::uint64_t>(size.token_bytes * static_cast<double>(plan.rows));
    const std::uint64_t bytes = vectors + plan.rows * beside_vectors(packed) + text_bytes;
    if (size.compression == h5::Compression::none) {
      plan.sizes.push_back(
          {size.all_layers ? "all" : "top, average or mix", size.dtype, bytes, 0, {}});
    } else if (size.compression == h5::Compression::gzip) {
      plan.sizes.back().gzip_bytes = bytes;
    } else {
      plan.sizes.back().zstd_bytes = bytes;
    }
  }
  const auto add = [&](Precision precision, double tokens_per_second) {
    RunPlan::Speed& speed = plan.speeds.emplace_back();
    speed.precision = precision;
    speed.tokens_per_second = tokens_per_second;
    speed.seconds = static_cast<double>(computed_tokens) / tokens_per_second;
    if (flags.price > 0) speed.price = flags.price * speed.seconds / kSecondsPerHour;
  };
  add(flags.precision, rate);
  for (const Precision other : {Precision::float32, Precision::bfloat16, Precision::int8}) {
    if (other == flags.precision || !is_supported(other)) continue;
    LoadedModel loaded = load_model(flags.model);
    const Bilm as_other(loaded.options, std::move(loaded.parameters), other,
                        std::move(loaded.lexicon));
    add(other, sample_rate(as_other, sample, flags.embed, kOtherSeconds));
  }
}

}  // namespace elmo
