#include "core/parallel/worker_pool.h"

#include <cstddef>
#include <latch>
#include <utility>

namespace elmo {

WorkerPool::WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure)
    : WorkerPool(workers, threads_per_worker, std::move(on_failure), start_thread) {}

WorkerPool::WorkerPool(int workers, int threads_per_worker)
    : WorkerPool(workers, threads_per_worker,
                 [](const std::exception_ptr& failure) { std::rethrow_exception(failure); }) {}

WorkerPool::WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure,
                       const ThreadStarter& start)
    : on_failure_(std::move(on_failure)) {
  std::latch ready(workers);
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&, this](int worker) {
    try {
      set_threads_of_this_thread(threads_per_worker, start);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    ready.count_down();
    work(worker);
  };
  int started = 0;
  try {
    for (; started < workers; ++started) {
      threads_.push_back(start([run, worker = started] { run(worker); }));
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    ready.count_down(workers - started);
  }
  ready.wait();
  if (failure) {
    close();
    std::rethrow_exception(failure);
  }
}

void WorkerPool::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkerPool::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void WorkerPool::work(int worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (closed_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job(worker);
    } catch (...) {
      on_failure_(std::current_exception());
    }
    lock.lock();
  }
}

void run_all(WorkerPool& pool, std::span<const WorkerPool::Job> jobs) {
  std::latch ended(static_cast<std::ptrdiff_t>(jobs.size()));
  std::vector<std::exception_ptr> failures(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    pool.add([&, i](int worker) {
      try {
        jobs[i](worker);
      } catch (...) {
        failures[i] = std::current_exception();
      }
      ended.count_down();
    });
  }
  ended.wait();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace elmo
