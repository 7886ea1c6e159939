// The threads that compute.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/model/lstm.h"
#include "core/model/token_encoder.h"

namespace elmo {

/// What a worker computes in; kept from job to job.
struct Workspace {
  LstmWorkspace lstm;
  EncoderWorkspace encoder;
};

/// Runs jobs, first come first served, on a fixed number of threads. Jobs may add jobs. Safe for
/// any number of threads.
class WorkerPool {
 public:
  using Job = std::function<void(Workspace&)>;

  /// `on_failure` is called, on the worker, with the exception that ended a job.
  WorkerPool(int workers, int threads_per_worker,
             std::function<void(std::exception_ptr)> on_failure);

  ~WorkerPool() { close(); }

  /// Finishes the running jobs, drops the waiting ones and those they add, and joins the threads.
  void close();

  void add(Job job);

 private:
  void work(int threads);

  std::function<void(std::exception_ptr)> on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace elmo
