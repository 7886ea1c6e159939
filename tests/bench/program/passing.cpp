#include "tests/bench/program/passing.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/resources.h"
#include "io/shard/shard_run.h"
#include "tests/bench/program/computing.h"
#include "tests/bench/program/random_values.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWriterBatchTokens = 4096;

}  // namespace

double tokenizer_seconds(const Measuring& measuring, const BenchText& text) {
  measuring.begin("the tokenizer");
  return measuring.median_seconds([&] {
    text.read([](SentenceSource& source) {
      Sentence sentence;
      while (source.next(sentence)) {
      }
    });
  });
}

WriterTimes writer_times(const Measuring& measuring, const Bilm& model,
                         std::span<const Sentence> sample, const fs::path& folder) {
  measuring.begin("the shard writer");
  std::vector<std::pair<std::size_t, std::size_t>> batches;  // sentence range
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (batches.empty() || tokens.back() + sample[i].size() > kWriterBatchTokens) {
      batches.emplace_back(i, i);
      tokens.push_back(0);
    }
    batches.back().second = i + 1;
    tokens.back() += sample[i].size();
  }
  const AlignedVector<float> values =
      random_values(*std::max_element(tokens.begin(), tokens.end()) * row_values(model));
  const ActivationLayout layout = activation_layout(model.options(), {});
  std::uint64_t bytes = 0;
  const double seconds = measuring.median_seconds([&] {
    ShardRun run(folder, {}, RunMode::overwrite, {.layout = layout});
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const auto [first, last] = batches[i];
      run.write({first, sample.subspan(first, last - first),
                 std::span(values).first(tokens[i] * row_values(model))});
    }
    SegmentEnd end;
    end.next_sentence = sample.size();
    run.end_segment(end);
    run.finish();
    bytes = run.manifest().shards.front().bytes;
  });
  fs::remove_all(folder);
  return {seconds, static_cast<double>(bytes) / seconds};
}

double embed_seconds(const Measuring& measuring, const Bilm& model, const BenchText& text,
                     const Resources& resources, std::uint64_t shard_bytes,
                     const fs::path& folder) {
  measuring.begin("embed");
  const double seconds = seconds_of([&] {
    text.read([&](SentenceSource& source) {
      ShardRun run(folder, {}, RunMode::create,
                   {.layout = activation_layout(model.options(), {}), .shard_bytes = shard_bytes});
      if (!embed({.model = model,
                  .source = source,
                  .sink = run,
                  .resources = resources,
                  .stop = measuring.stop()})
               .completed)
        throw Stopped();
    });
  });
  fs::remove_all(folder);
  return seconds;
}

}  // namespace elmo
