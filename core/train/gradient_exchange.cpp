#include "core/train/gradient_exchange.h"

#include <algorithm>

#include "core/parallel/threads.h"
#include "core/train/lstm_pass.h"

namespace elmo {
namespace {

/// One thread computes forward before backward and the last layer first, then what the softmax's
/// gradients of both come to, then the encoder's.
std::vector<std::vector<std::size_t>> groups_of(const ParameterIndex& index, std::size_t softmax) {
  std::vector<std::vector<std::size_t>> groups;
  for (const std::vector<LstmIndex>& direction : index.lstm) {
    for (auto layer = direction.rbegin(); layer != direction.rend(); ++layer) {
      groups.push_back(parameters_of(*layer));
    }
  }
  groups.push_back({softmax});
  if (index.char_cnn) groups.push_back(index.char_cnn->all());
  if (index.word_embedding) groups.push_back({*index.word_embedding});
  return groups;
}

}  // namespace

GradientExchange::GradientExchange(Communicator& communicator, const ParameterIndex& index,
                                   std::size_t parameters)
    : communicator_(communicator),
      softmax_(parameters),
      groups_(groups_of(index, parameters)),
      group_(groups_.size()),
      ready_(parameters + 1) {
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

void GradientExchange::begin(Gradients& gradients, bool softmax_only) {
  if (communicator_.size() == 1) return;
  const std::lock_guard lock(mutex_);
  gradients_ = &gradients;
  softmax_only_ = softmax_only;
  group_ = 0;
  std::fill(ready_.begin(), ready_.end(), softmax_only);
  ready_[softmax_] = false;
}

GradientReady GradientExchange::on_ready() {
  if (communicator_.size() == 1) return {};
  return [this](std::size_t gradient) {
    const std::lock_guard lock(mutex_);
    ready_[gradient] = true;
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
                                [this](std::size_t gradient) { return ready_[gradient]; });
}

std::vector<std::span<float>> GradientExchange::arrays_of_group() const {
  std::vector<std::span<float>> arrays;
  for (const std::size_t gradient : groups_[group_]) {
    if (gradient == softmax_) {
      arrays.emplace_back(gradients_->softmax.weights);
      arrays.emplace_back(gradients_->softmax.bias);
    } else if (!softmax_only_) {
      arrays.emplace_back(gradients_->parameters[gradient]);
    }
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
