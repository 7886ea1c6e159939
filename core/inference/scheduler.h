// Batches in work: read ahead, computed stage by stage, delivered in input order.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/inference/batcher.h"
#include "core/model/lstm.h"
#include "core/model/token_encoder.h"
#include "core/parallel/worker_pool.h"

namespace elmo {

/// What a worker computes in. Kept from job to job. Not for two threads at once.
struct Workspace {
  LstmWorkspace lstm;
  EncoderWorkspace encoder;
};

/// What a run's batches go through.
struct PipelineSteps {
  /// A piece of a stage's work on a batch; ends early once the run is stopping.
  using Job = std::function<void(Workspace&)>;

  /// Gives the jobs of a stage on a batch, which may run at once and on any worker. Called when all
  /// jobs of the stage before have ended; for the first stage on the thread that reads.
  using Stage = std::function<std::vector<Job>(Batch&)>;

  std::function<std::unique_ptr<Batch>()> read;  ///< nothing at the end; on a thread of its own
  /// Ends a read that waits: a step has failed. Any thread.
  std::function<void()> stop_reading;
  std::vector<Stage> stages;
  std::function<void(Batch&)> deliver;  ///< in input order, on the calling thread
  std::function<void()> report;         ///< a few times a second and after every batch, likewise
};

struct SchedulerOptions {
  int workers = 1;
  int threads_per_worker = 1;
  std::size_t max_in_flight = 1;  ///< batches held at once, the one being delivered included
};

/// Runs a pipeline. The first stage of a batch begins when that of the batch before has ended.
class Scheduler {
 public:
  /// `stop` is read: once it is true the run ends early. `stopping` is set when the run ends early
  /// for whatever reason, for jobs to look at. Both have to outlive it. SystemError where the
  /// threads cannot be started.
  Scheduler(PipelineSteps steps, const SchedulerOptions& options, const std::atomic<bool>& stop,
            std::atomic<bool>& stopping);

  /// Once; returns whether the input came to its end and all of it was delivered. Throws the first
  /// exception of any step.
  bool run();

  /// Waits until no batch is in work or the run is stopping, but no longer than `time`; returns
  /// whether it is so. For the thread that reads.
  bool wait_until_idle(std::chrono::milliseconds time);

  /// Tokens of the batches in work. Any thread.
  std::uint64_t tokens_in_work();

 private:
  struct InWork {
    std::unique_ptr<Batch> batch;
    std::size_t stage = 0;  // that it is in, or the number of stages when all are done
    std::atomic<std::size_t> jobs_left = 0;
  };

  void read_batches();
  void add_jobs(InWork& work, std::vector<PipelineSteps::Job> jobs);
  void enter_next_stage(InWork& work, Workspace& workspace);
  void deliver_batches();
  void fail(std::exception_ptr failure);
  void end();

  PipelineSteps steps_;
  std::size_t max_in_flight_;
  const std::atomic<bool>& stop_;
  std::atomic<bool>& stopping_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<InWork> in_work_;  // in input order
  bool read_all_ = false;
  bool completed_ = false;
  std::exception_ptr failure_;

  std::vector<Workspace> workspaces_;  // of each worker
  WorkerPool pool_;
};

}  // namespace elmo
