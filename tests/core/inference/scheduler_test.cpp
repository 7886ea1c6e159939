#include "core/inference/scheduler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/no_threads.h"

namespace elmo {
namespace {

using Job = PipelineSteps::Job;

// Reads `count` batches of one token each, numbered by their first sentence.
std::function<std::unique_ptr<Batch>()> read_numbers(std::uint64_t count) {
  return [count, next = std::uint64_t{0}]() mutable -> std::unique_ptr<Batch> {
    if (next == count) return nullptr;
    auto batch = std::make_unique<Batch>();
    batch->first_sentence = next++;
    batch->tokens = 1;
    return batch;
  };
}

// A pipeline whose steps only record what is delivered.
struct Pipeline {
  explicit Pipeline(std::uint64_t count) {
    steps.read = read_numbers(count);
    steps.stages = {[](Batch&) { return std::vector<Job>{}; }};
    steps.deliver = [this](Batch& batch) { delivered.push_back(batch.first_sentence); };
    steps.report = [] {};
  }

  bool run(const SchedulerOptions& options) {
    return Scheduler(steps, options, stop, stopping).run();
  }

  PipelineSteps steps;
  std::vector<std::uint64_t> delivered;
  std::atomic<bool> stop = false;
  std::atomic<bool> stopping = false;
};

std::vector<std::uint64_t> numbers(std::uint64_t count) {
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t number = 0; number < count; ++number) result[number] = number;
  return result;
}

std::vector<Job> single(std::function<void()> work) {
  return {[work = std::move(work)](Workspace&) { work(); }};
}

TEST_CASE(
    "every job of every stage runs once, stage by stage, and batches are delivered in order") {
  constexpr std::uint64_t kBatches = 50;
  // Number of jobs of each stage; a stage may have none.
  constexpr std::array<std::size_t, 4> kJobs{3, 0, 1, 5};
  for (const int workers : {1, 2, 4}) {
    for (const std::size_t in_flight : {std::size_t{1}, std::size_t{3}}) {
      CAPTURE(workers);
      CAPTURE(in_flight);
      Pipeline pipeline(kBatches);
      std::vector<std::atomic<std::size_t>> jobs_done(kBatches);
      std::atomic<bool> in_stage_order = true;
      pipeline.steps.stages.clear();
      std::size_t jobs_before = 0;
      for (const std::size_t jobs : kJobs) {
        pipeline.steps.stages.emplace_back([&, jobs, jobs_before](Batch& batch) {
          std::atomic<std::size_t>& done = jobs_done[batch.first_sentence];
          if (done != jobs_before) in_stage_order = false;
          return std::vector<Job>(jobs, [&done](Workspace&) { ++done; });
        });
        jobs_before += jobs;
      }
      CHECK(pipeline.run({workers, in_flight}));
      CHECK(in_stage_order);
      CHECK(pipeline.delivered == numbers(kBatches));
      CHECK(std::all_of(jobs_done.begin(), jobs_done.end(),
                        [&](const auto& done) { return done == jobs_before; }));
    }
  }
}

TEST_CASE("a batch that is done early waits for the batches before it") {
  Pipeline pipeline(3);
  std::latch others_done(2);
  // The first stage ends when the next batch begins, so the second stage can wait.
  pipeline.steps.stages.emplace_back([&](Batch& batch) {
    return single([&, first = batch.first_sentence == 0] {
      if (first) {
        others_done.wait();
      } else {
        others_done.count_down();
      }
    });
  });
  CHECK(pipeline.run({2, 3}));
  CHECK(pipeline.delivered == numbers(3));
}

TEST_CASE("a batch begins its first stage when the previous batch has ended it") {
  Pipeline pipeline(30);
  std::atomic<std::uint64_t> ended = 0;
  std::atomic<bool> one_by_one = true;
  pipeline.steps.stages = {[&](Batch& batch) {
    if (ended != 2 * batch.first_sentence) one_by_one = false;
    return std::vector<Job>(2, [&](Workspace&) { ++ended; });
  }};
  CHECK(pipeline.run({3, 4}));
  CHECK(one_by_one);
}

TEST_CASE("no more batches are held than allowed") {
  for (const std::size_t most : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    CAPTURE(most);
    Pipeline pipeline(40);
    std::atomic<std::size_t> held = 0;
    std::atomic<std::size_t> peak = 0;
    pipeline.steps.stages = {[&](Batch&) {
      const std::size_t now = ++held;
      if (now > peak) peak = now;  // stages begin on one thread
      return std::vector<Job>{};
    }};
    pipeline.steps.deliver = [&](Batch&) { --held; };
    CHECK(pipeline.run({3, most}));
    CHECK(peak >= 1);
    CHECK(peak <= most);
  }
}

TEST_CASE("an input without batches is completed") {
  Pipeline pipeline(0);
  CHECK(pipeline.run({2, 2}));
  CHECK(pipeline.delivered.empty());
}

TEST_CASE("an exception of any step ends the run and is rethrown") {
  const auto fail = [] { throw InputError("the third"); };
  const auto fail_at = [&](const Batch& batch) {
    if (batch.first_sentence == 2) fail();
  };
  for (const char* step : {"read", "first stage", "first job", "stage", "job", "deliver"}) {
    for (const int workers : {1, 3}) {
      CAPTURE(step);
      CAPTURE(workers);
      const std::string failing = step;
      Pipeline pipeline(1000);
      if (failing == "read") {
        pipeline.steps.read = [&, read = pipeline.steps.read] {
          std::unique_ptr<Batch> batch = read();
          fail_at(*batch);
          return batch;
        };
      }
      pipeline.steps.stages = {
          [&](Batch& batch) {
            if (failing == "first stage") fail_at(batch);
            return single([&] {
              if (failing == "first job") fail_at(batch);
            });
          },
          [&](Batch& batch) {
            if (failing == "stage") fail_at(batch);
            return std::vector<Job>(2, [&](Workspace&) {
              if (failing == "job") fail_at(batch);
            });
          },
      };
      if (failing == "deliver") {
        pipeline.steps.deliver = [&](Batch& batch) {
          fail_at(batch);
          pipeline.delivered.push_back(batch.first_sentence);
        };
      }
      CHECK_THROWS_WITH_AS(pipeline.run({workers, 3}), "the third", InputError);
      CHECK(pipeline.stopping);
      // Everything delivered before the error is in order.
      CHECK(pipeline.delivered.size() <= 2);
      CHECK(pipeline.delivered == numbers(pipeline.delivered.size()));
    }
  }
}

TEST_CASE("a stopped run delivers no more batches and reports that it was stopped") {
  Pipeline pipeline(1000);
  pipeline.steps.deliver = [&](Batch& batch) {
    pipeline.delivered.push_back(batch.first_sentence);
    if (batch.first_sentence == 4) pipeline.stop = true;
  };
  CHECK_FALSE(pipeline.run({2, 3}));
  CHECK(pipeline.stopping);
  CHECK(pipeline.delivered == numbers(5));
}

TEST_CASE("jobs and the reader are notified that a run is stopped") {
  Pipeline pipeline(1000);
  std::latch running(1);
  pipeline.steps.stages = {[&](Batch&) {
    return single([&] {
      running.count_down();
      while (!pipeline.stopping) std::this_thread::yield();
    });
  }};
  Scheduler* scheduler = nullptr;
  bool waited_in_vain = true;
  pipeline.steps.read = [&, read = pipeline.steps.read] {
    std::unique_ptr<Batch> batch = read();
    if (batch->first_sentence == 1) {
      running.wait();
      // A batch is in work, and stays there until the run is stopping.
      CHECK_FALSE(scheduler->wait_until_idle(std::chrono::milliseconds(1)));
      CHECK(scheduler->tokens_in_work() == 1);
      pipeline.stop = true;
      waited_in_vain = !scheduler->wait_until_idle(std::chrono::hours(1));
    }
    return batch;
  };
  Scheduler made(pipeline.steps, {1, 3}, pipeline.stop, pipeline.stopping);
  scheduler = &made;
  CHECK_FALSE(made.run());
  CHECK_FALSE(waited_in_vain);
  CHECK(pipeline.delivered.empty());
}

TEST_CASE("a failed run does not wait for more input") {
  for (const bool in_a_job : {false, true}) {
    CAPTURE(in_a_job);
    Pipeline pipeline(2);
    const auto fail = [] { throw std::runtime_error("failed"); };
    if (in_a_job) {
      pipeline.steps.stages = {[&](Batch&) { return single(fail); }};
    } else {
      pipeline.steps.deliver = [&](Batch&) { fail(); };
    }
    pipeline.steps.read = [&, read = pipeline.steps.read] {
      std::unique_ptr<Batch> batch = read();
      while (batch->first_sentence == 1 && !pipeline.stopping) std::this_thread::yield();
      return batch;
    };
    CHECK_THROWS_WITH(pipeline.run({2, 3}), "failed");
  }
}

TEST_CASE("the reader can wait until all its batches are delivered") {
  Pipeline pipeline(3);
  Scheduler* scheduler = nullptr;
  std::vector<std::size_t> delivered_before;
  std::atomic<std::size_t> delivered = 0;
  pipeline.steps.deliver = [&](Batch&) { ++delivered; };
  pipeline.steps.read = [&, read = pipeline.steps.read] {
    while (!scheduler->wait_until_idle(std::chrono::milliseconds(1))) continue;
    delivered_before.push_back(delivered);
    return read();
  };
  Scheduler made(pipeline.steps, {2, 3}, pipeline.stop, pipeline.stopping);
  scheduler = &made;
  CHECK(made.run());
  CHECK(delivered_before == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(made.tokens_in_work() == 0);
}

TEST_CASE("a run reports after every batch") {
  Pipeline pipeline(7);
  std::vector<std::size_t> delivered;
  pipeline.steps.report = [&] { delivered.push_back(pipeline.delivered.size()); };
  CHECK(pipeline.run({2, 2}));
  for (std::size_t count = 1; count <= 7; ++count) {
    CHECK(std::find(delivered.begin(), delivered.end(), count) != delivered.end());
  }
}

TEST_CASE("a scheduler whose threads cannot be started reports it") {
  Pipeline pipeline(1);
  const NoThreads none;
  CHECK_THROWS_AS(pipeline.run({2, 2}), SystemError);
}

}  // namespace
}  // namespace elmo
