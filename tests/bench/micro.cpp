// Benchmarks of single kernels with Google Benchmark, at the shapes of the original model.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/kernels/convert.h"
#include "core/kernels/lstm_step.h"
#include "core/kernels/packed_matrix.h"
#include "core/matrix.h"
#include "core/workers.h"
#include "io/text/input/text_source.h"

namespace elmo {
namespace {

constexpr std::int64_t kWidth = 512;  // P
constexpr std::int64_t kUnits = 256;  // hidden units in a block

AlignedVector<float> random_values(std::int64_t count) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  AlignedVector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = normal(generator);
  return values;
}

// Hidden units per second.
void gates(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  const AlignedVector<float> sums = random_values(rows * 4 * kUnits);
  const AlignedVector<float> bias = random_values(4 * kUnits);
  AlignedVector<float> cell = random_values(rows * kUnits);
  AlignedVector<float> output(cell.size());
  GateBlock block;
  block.rows = rows;
  block.hidden = kUnits;
  block.bias = bias.data();
  block.cell = cell.data();
  block.cell_stride = kUnits;
  block.cell_clip = 3.0F;
  block.output = output.data();
  block.output_stride = kUnits;
  for (auto _ : state) {
    lstm_gates(FloatSums{sums.data()}, block);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * kUnits);
}
BENCHMARK(gates)->Arg(16)->Arg(128)->Arg(256);

// Operations per second of a block's recurrent product.
void product(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  set_threads_of_this_thread(1);
  const AlignedVector<float> weights = random_values(kWidth * 4 * kUnits);
  WeightMemory memory;
  const PackedMatrix packed(weights.data(), kWidth, 4 * kUnits, 4 * kUnits, Precision::float32,
                            memory);
  const std::int64_t padded = GemmWorkspace::padded_rows(rows);
  const AlignedVector<float> from = random_values(padded * kWidth);
  AlignedVector<float> to(static_cast<std::size_t>(padded * 4 * kUnits), 0.0F);
  GemmWorkspace workspace;
  for (auto _ : state) {
    workspace.multiply(from.data(), packed, to.data(), rows, false);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 2 * rows * kWidth * 4 * kUnits);
}
BENCHMARK(product)->Arg(1)->Arg(16)->Arg(128)->Arg(256);

// Numbers per second.
void quantize(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  const AlignedVector<float> from = random_values(rows * kWidth);
  AlignedVector<std::uint8_t> to(from.size());
  AlignedVector<float> scales(static_cast<std::size_t>(rows));
  for (auto _ : state) {
    quantize_rows(from.data(), rows, kWidth, kWidth, to.data(), scales.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * kWidth);
}
BENCHMARK(quantize)->Arg(1)->Arg(128);

template <auto kConvert>
void convert(benchmark::State& state) {
  const AlignedVector<float> from = random_values(state.range(0));
  AlignedVector<std::uint16_t> to(from.size());
  for (auto _ : state) {
    kConvert(from, to);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(convert<to_bfloat16>)->Name("to_bfloat16")->Arg(kWidth * 128);
BENCHMARK(convert<to_float16>)->Name("to_float16")->Arg(kWidth * 128);

// Bytes of text per second.
void tokenizer(benchmark::State& state) {
  std::string text;
  while (text.size() < std::size_t{1} << 16) {
    text += "It rained all night, but the 3 boats (and their owners) were safe by 6.30 a.m. ";
  }
  for (auto _ : state) {
    const std::unique_ptr<TextSource> source =
        open_source({}, "text", std::make_unique<MemoryBytes>(text));
    Sentence sentence;
    while (source->next(sentence)) benchmark::DoNotOptimize(sentence);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(tokenizer);

// The scheduler's own cost of a batch, with this many workers: two stages of four empty jobs each,
// which only wait for each other's locks.
void scheduler(benchmark::State& state) {
  constexpr std::uint64_t kBatches = 2000;
  const auto workers = static_cast<int>(state.range(0));
  const auto stage = [](Batch&) { return std::vector<PipelineSteps::Job>(4, [](Workspace&) {}); };
  for (auto _ : state) {
    std::uint64_t read = 0;
    PipelineSteps steps;
    steps.read = [&] { return read++ < kBatches ? std::make_unique<Batch>() : nullptr; };
    steps.stages = {stage, stage};
    steps.deliver = [](Batch&) {};
    steps.report = [] {};
    const std::atomic<bool> stop = false;
    std::atomic<bool> stopping = false;
    const auto in_flight = static_cast<std::size_t>((workers + 1) / 2 + 1);
    Scheduler(std::move(steps), {workers, 1, in_flight}, stop, stopping).run();
  }
  state.counters["batches/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * kBatches), benchmark::Counter::kIsRate);
}
BENCHMARK(scheduler)->Arg(2)->Arg(8)->Arg(16)->Arg(64)->UseRealTime();

}  // namespace
}  // namespace elmo
