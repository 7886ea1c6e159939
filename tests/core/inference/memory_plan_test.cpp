#include "core/inference/memory_plan.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/model/options.h"
#include "tests/core/inference/collect.h"

namespace elmo {
namespace {

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

std::uint64_t planned_bytes(const ModelOptions& model, const RunOptions& options) {
  const MemoryPlan plan = plan_memory(model, options, options);
  return static_cast<std::uint64_t>(options.threads) * workspace_bytes(model) + plan.cache_bytes +
         plan.max_in_flight * plan.batch_tokens * batch_bytes_per_token(model, options);
}

RunOptions options_of(int workers, int threads) {
  RunOptions options;
  options.workers = workers;
  options.threads = threads;
  return options;
}

TEST_CASE("memory in use stays within the budget, for any number of workers") {
  const ModelOptions model = *preset("original");
  for (const LayerSelection layers : {LayerSelection::all, LayerSelection::top}) {
    for (const std::uint64_t memory : {8 * kGibibyte, 32 * kGibibyte}) {
      for (const int threads : {1, 2, 3, 8, 16, 64}) {
        for (const int workers : {1, threads}) {
          CAPTURE(memory);
          CAPTURE(threads);
          CAPTURE(workers);
          RunOptions options = options_of(workers, threads);
          options.layers = layers;
          options.memory_bytes = memory;
          CHECK(planned_bytes(model, options) <= memory);
        }
      }
    }
  }
}

TEST_CASE("token vectors of a batch count in addition to its activations") {
  const ModelOptions model = *preset("original");
  const auto numbers = [&](std::int64_t rows) {
    return static_cast<std::uint64_t>(rows * model.lstm.projection_dim) * sizeof(float);
  };
  EmbedOptions options;
  for (const InitialState state : {InitialState::zero, InitialState::carry}) {
    for (const bool boundaries : {false, true}) {
      options.initial_state = state;
      options.boundaries = boundaries;
      options.layers = LayerSelection::all;
      const std::uint64_t all = batch_bytes_per_token(model, options);
      CHECK(all >= numbers(model.activation_rows() + 1));
      CHECK(all < numbers(model.activation_rows() + 2));  // no second copy of the activations
      options.layers = LayerSelection::top;  // the token vectors are freed before the rows are made
      CHECK(batch_bytes_per_token(model, options) >= numbers(model.activation_rows() + 2));
      CHECK(batch_bytes_per_token(model, options) < numbers(model.activation_rows() + 3));
    }
  }
}

TEST_CASE("lane states take part of the memory") {
  const ModelOptions model = *preset("original");
  RunOptions options = options_of(2, 2);
  options.lanes = 65536;
  CHECK(carried_bytes(model, options) == 0);
  options.initial_state = InitialState::carry;
  // Two copies of both directions and layers, each of 4,096 cells and 512 outputs.
  CHECK(carried_bytes(model, options) == std::uint64_t{65536} * 2 * 2 * 2 * 4608 * sizeof(float));
  options.memory_bytes = 8 * kGibibyte;
  CHECK_THROWS_WITH_AS(plan_memory(model, options, options), doctest::Contains("lanes"),
                       RequestError);
  options.lanes = 1;
  CHECK_NOTHROW(plan_memory(model, options, options));
}

TEST_CASE("batches become smaller before workers become idle") {
  const ModelOptions model = *preset("original");
  RunOptions options = options_of(16, 16);
  options.memory_bytes = 1024 * kGibibyte;
  const MemoryPlan ample = plan_memory(model, options, options);
  CHECK(ample.max_in_flight == 9);
  options.memory_bytes = 2 * kGibibyte;
  const MemoryPlan tight = plan_memory(model, options, options);
  CHECK(tight.max_in_flight == 9);
  CHECK(tight.batch_tokens < ample.batch_tokens);
  CHECK(tight.batch_tokens >= kMinBatchTokens);
  // The batch size is given, so fewer batches are in work.
  options.batch_tokens = ample.batch_tokens;
  const MemoryPlan given = plan_memory(model, options, options);
  CHECK(given.batch_tokens == ample.batch_tokens);
  CHECK(given.max_in_flight < 9);
  CHECK(given.max_in_flight >= 1);
}

TEST_CASE("threads that divide a direction's sentences have fewer batches in progress") {
  const ModelOptions model = *preset("original");
  RunOptions options = options_of(4, 16);
  options.memory_bytes = 1024 * kGibibyte;
  CHECK(plan_memory(model, options, options).max_in_flight == 3);
}

TEST_CASE("a budget below the minimum is refused with the size needed") {
  const ModelOptions model = *preset("original");
  RunOptions options = options_of(2, 2);
  options.memory_bytes = std::uint64_t{10} << 20;
  std::string message;
  try {
    plan_memory(model, options, options);
  } catch (const RequestError& error) {
    message = error.what();
  }
  CHECK(message.starts_with("memory: found "));
  const std::string before = "expected at least ";
  REQUIRE(message.find(before) != std::string::npos);
  const std::uint64_t mebibytes = std::stoull(message.substr(message.find(before) + before.size()));
  // The size that the error names suffices; one mebibyte less does not.
  options.memory_bytes = mebibytes << 20;
  CHECK(planned_bytes(model, options) <= options.memory_bytes);
  options.memory_bytes = (mebibytes - 1) << 20;
  CHECK_THROWS_AS(plan_memory(model, options, options), RequestError);
  // Without a budget, all available memory is used.
  options.memory_bytes = 0;
  CHECK(plan_memory(model, options, options).max_in_flight >= 1);
}

}  // namespace
}  // namespace elmo
