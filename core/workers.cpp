#include "core/workers.h"

#include <omp.h>

#include <atomic>
#include <latch>
#include <string>

namespace elmo {
namespace {

// Starts `count` threads that all run at the same time, then ends them.
void try_threads(int count, const ThreadStarter& start) {
  std::latch tried(1);
  std::vector<std::thread> threads;
  const auto end_all = [&] {
    tried.count_down();
    for (std::thread& thread : threads) thread.join();
  };
  try {
    for (int i = 0; i < count; ++i) threads.push_back(start([&tried] { tried.wait(); }));
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
}

}  // namespace

BlockedSignals::BlockedSignals() {
  sigset_t blocked;
  ::sigfillset(&blocked);
  for (const int kept : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF}) {
    ::sigdelset(&blocked, kept);
  }
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

SystemError no_thread(const std::system_error& error) {
  return SystemError("could not start a thread: " + error.code().message() +
                     "; compute with fewer threads, or raise the limits on processes (ulimit -u) "
                     "and memory (ulimit -v)");
}

std::thread start_thread(std::function<void()> work) {
  const BlockedSignals blocked;
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw no_thread(error);
  }
}

void set_threads_of_this_thread(int threads, const ThreadStarter& start) {
  if (threads > 1) {
    // One caller at a time, so that each sees how many threads the others have left.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    try_threads(threads - 1, start);
    omp_set_num_threads(threads);
    // Static, not on the stack: the thread sanitizer does not see that libgomp's threads have ended
    // their work, and would report the next use of the stack as a race.
    static std::atomic<int> started = 0;
#pragma omp parallel
    ++started;
  } else {
    omp_set_num_threads(1);
  }
}

OneThread::OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }

OneThread::~OneThread() { omp_set_num_threads(before_); }

Workers::Workers(int count, int threads_each, FailureHandler on_failure, const ThreadStarter& start)
    : count_(count), on_failure_(std::move(on_failure)) {
  // OpenMP ends the process if it lacks memory, so it is not used before all threads have started.
  std::latch tried(1);
  std::latch ready(count);
  std::mutex mutex;
  std::exception_ptr failure;
  bool failed = false;  // to start a thread; set before `tried`
  const auto run = [&, this](int worker) {
    tried.wait();
    try {
      if (!failed) set_threads_of_this_thread(threads_each, start);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    ready.count_down();
    work(worker);
  };
  int started = 0;
  try {
    for (; started < count; ++started) {
      threads_.push_back(start([run, worker = started] { run(worker); }));
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    failed = true;
    ready.count_down(count - started);
  }
  tried.count_down();
  ready.wait();
  if (failure) {
    close();
    std::rethrow_exception(failure);
  }
}

void Workers::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Workers::work(int worker) {
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
      if (!on_failure_) throw;
      on_failure_(std::current_exception());
    }
    lock.lock();
  }
}

void Workers::run(std::size_t jobs, const std::function<void(std::size_t job)>& job) {
  std::latch ended(static_cast<std::ptrdiff_t>(jobs));
  std::vector<std::exception_ptr> failures(jobs);
  for (std::size_t i = 0; i < jobs; ++i) {
    add([&, i](int) {
      try {
        job(i);
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
