// Schedules batches: reads ahead, computes stage by stage, delivers in input order.
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
#include "core/workers.h"

namespace elmo {

/// The memory of a worker, kept from job to job. Not for two threads at once.
struct Workspace {
  LstmWorkspace lstm;
  EncoderWorkspace encoder;
};

/// The steps that a run's batches go through.
struct PipelineSteps {
  /// A part of a stage's work on a batch. Ends early once the run is stopping.
  using Job = std::function<void(Workspace&)>;

  /// Returns the jobs of a stage for a batch, which may run in parallel and on any worker. Called
  /// when all jobs of the previous stage have ended; for the first stage, on the reading thread.
  using Stage = std::function<std::vector<Job>(Batch&)>;

  /// Null at the end; called on its own thread. Must end soon once the run is stopping.
  std::function<std::unique_ptr<Batch>()> read;
  std::vector<Stage> stages;
  std::function<void(Batch&)> deliver;  ///< called in input order, on the calling thread
  std::function<void()> report;         ///< a few times a second and after every batch, on the
                                        ///< calling thread
};

/// The numbers of threads and of batches in a pipeline.
struct SchedulerOptions {
  int threads = 1;                ///< workers that compute jobs
  std::size_t max_in_flight = 1;  ///< batches held at once, including the one being delivered
};

/// Runs a pipeline. A batch begins its first stage when the previous batch has ended that stage.
class Scheduler {
 public:
  /// The run ends early once `stop` is true. Sets `stopping`, for jobs to check, when the run ends
  /// early for any reason. Both must outlive it. SystemError if the threads cannot be started.
  Scheduler(PipelineSteps steps, const SchedulerOptions& options, const std::atomic<bool>& stop,
            std::atomic<bool>& stopping);

  /// Call once. Returns whether the whole input was delivered. Rethrows the first exception of any
  /// step.
  bool run();

  /// Waits at most `time` for the pipeline to be idle. Returns true if no batch is in progress or
  /// the run is stopping. For the reading thread.
  bool wait_until_idle(std::chrono::milliseconds time);

  /// The number of tokens of the batches in progress. Any thread.
  std::uint64_t tokens_in_work();

 private:
  struct InWork {
    std::unique_ptr<Batch> batch;
    std::size_t stage = 0;  // its current stage; the number of stages when all are done
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

  std::vector<Workspace> workspaces_;  // one per worker
  Workers workers_;
};

}  // namespace elmo
