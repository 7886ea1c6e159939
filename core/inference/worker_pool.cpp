#include "core/inference/worker_pool.h"

#include <utility>

namespace elmo {

WorkerPool::WorkerPool(int workers, int threads_per_worker,
                       std::function<void(std::exception_ptr)> on_failure)
    : on_failure_(std::move(on_failure)) {
  for (int i = 0; i < workers; ++i) {
    threads_.emplace_back([this, threads_per_worker] { work(threads_per_worker); });
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

void WorkerPool::work(int threads) {
  set_threads_of_this_thread(threads);
  Workspace workspace;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (closed_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job(workspace);
    } catch (...) {
      on_failure_(std::current_exception());
    }
    lock.lock();
  }
}

}  // namespace elmo
