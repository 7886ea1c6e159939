#include "core/inference/scheduler.h"

#include <thread>
#include <utility>

namespace elmo {

namespace {

// Interval between progress reports.
constexpr auto kReportPeriod = std::chrono::milliseconds(250);

}  // namespace

Scheduler::Scheduler(PipelineSteps steps, const SchedulerOptions& options,
                     const std::atomic<bool>& stop, std::atomic<bool>& stopping)
    : steps_(std::move(steps)),
      max_in_flight_(options.max_in_flight),
      stop_(stop),
      stopping_(stopping),
      workspaces_(static_cast<std::size_t>(options.threads)),
      workers_(options.threads, 1,
               [this](std::exception_ptr failure) { fail(std::move(failure)); }) {}

bool Scheduler::run() {
  std::thread reader = start_thread([this] { read_batches(); });
  try {
    deliver_batches();
  } catch (...) {
    fail(std::current_exception());
  }
  end();
  reader.join();
  workers_.close();
  if (failure_) std::rethrow_exception(failure_);
  return completed_;
}

void Scheduler::deliver_batches() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] {
    return failure_ || (!in_work_.empty() && in_work_.front().stage == steps_.stages.size()) ||
           (read_all_ && in_work_.empty());
  };
  while (true) {
    while (!changed_.wait_for(lock, kReportPeriod, ready)) {
      if (stop_) break;
      lock.unlock();
      steps_.report();
      lock.lock();
    }
    if (failure_ || stop_) return;
    if (in_work_.empty()) {
      completed_ = true;
      return;
    }
    Batch& batch = *in_work_.front().batch;
    lock.unlock();
    steps_.deliver(batch);
    lock.lock();
    in_work_.pop_front();
    lock.unlock();
    changed_.notify_all();
    steps_.report();
    lock.lock();
  }
}

void Scheduler::end() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void Scheduler::fail(std::exception_ptr failure) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }
  end();
}

void Scheduler::read_batches() {
  try {
    while (true) {
      std::unique_ptr<Batch> next = steps_.read();
      std::unique_lock lock(mutex_);
      if (!next || stopping_ || stop_) break;
      changed_.wait(lock, [this] {
        return stopping_ || (in_work_.size() < max_in_flight_ &&
                             (in_work_.empty() || in_work_.back().stage > 0));
      });
      if (stopping_) break;
      InWork& work = in_work_.emplace_back();
      work.batch = std::move(next);
      lock.unlock();
      add_jobs(work, steps_.stages.front()(*work.batch));
    }
  } catch (...) {
    fail(std::current_exception());
  }
  {
    const std::lock_guard lock(mutex_);
    read_all_ = true;
  }
  changed_.notify_all();
}

void Scheduler::add_jobs(InWork& work, std::vector<PipelineSteps::Job> jobs) {
  if (jobs.empty()) jobs.emplace_back([](Workspace&) {});
  work.jobs_left = jobs.size();
  for (PipelineSteps::Job& job : jobs) {
    workers_.add([this, &work, job = std::move(job)](int worker) {
      if (stopping_) return;
      Workspace& workspace = workspaces_[static_cast<std::size_t>(worker)];
      job(workspace);
      if (--work.jobs_left == 0) enter_next_stage(work, workspace);
    });
  }
}

// Called on the worker that ran the last job of the previous stage. If the next stage has a single
// job, runs it immediately.
void Scheduler::enter_next_stage(InWork& work, Workspace& workspace) {
  std::vector<PipelineSteps::Job> jobs;
  do {
    std::size_t stage = 0;
    {
      const std::lock_guard lock(mutex_);
      stage = ++work.stage;
    }
    changed_.notify_all();
    // From here on, a completed batch may already be freed.
    if (stopping_ || stage == steps_.stages.size()) return;
    jobs = steps_.stages[stage](*work.batch);
    if (jobs.size() == 1) jobs.front()(workspace);
  } while (jobs.size() == 1);
  add_jobs(work, std::move(jobs));
}

bool Scheduler::wait_until_idle(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return stopping_ || stop_ || in_work_.empty(); });
}

std::uint64_t Scheduler::tokens_in_work() {
  const std::lock_guard lock(mutex_);
  std::uint64_t tokens = 0;
  for (const InWork& work : in_work_) tokens += work.batch->tokens;
  return tokens;
}

}  // namespace elmo
