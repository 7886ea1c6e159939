#include "core/train/communicator.h"

#include <algorithm>
#include <utility>

#include "core/workers.h"

namespace elmo {
GradientExchange::GradientExchange(Communicator& communicator,
                                   std::vector<std::vector<Parameter*>> groups)
    : communicator_(communicator), groups_(std::move(groups)), group_(groups_.size()) {
  if (communicator_.size() > 1) {
    thread_ = start_thread([this] { work(); });
  }
}

GradientExchange::~GradientExchange() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void GradientExchange::begin(std::uint64_t step) {
  if (communicator_.size() == 1) return;
  const std::lock_guard lock(mutex_);
  step_ = step;
  group_ = 0;
  ready_.clear();
  changed_.notify_all();
}

GradientReady GradientExchange::on_ready() {
  if (communicator_.size() == 1) return {};
  return [this](const Parameter& parameter) {
    const std::lock_guard lock(mutex_);
    ready_.insert(&parameter);
    changed_.notify_all();
  };
}

void GradientExchange::finish() {
  if (communicator_.size() == 1) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
}

bool GradientExchange::group_is_ready() const {
  return !done() && std::all_of(groups_[group_].begin(), groups_[group_].end(),
                                [this](const Parameter* parameter) {
                                  return is_frozen(*parameter) || ready_.contains(parameter);
                                });
}

std::vector<std::span<float>> GradientExchange::arrays_of_group() const {
  std::vector<std::span<float>> arrays;
  for (Parameter* parameter : groups_[group_]) {
    if (!is_frozen(*parameter)) arrays.emplace_back(parameter->gradient);
  }
  return arrays;
}

void GradientExchange::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || group_is_ready(); });
    if (closed_) return;
    const std::vector<std::span<float>> arrays = arrays_of_group();
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (!arrays.empty()) communicator_.sum(arrays);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    ++group_;
    failure_ = failure;
    if (failure || done()) changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace elmo
