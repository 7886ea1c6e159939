// Notification of gradients that are final while others are still being computed.
//
// Sums the gradients of a step over all ranks while later gradients are still being computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "core/nn/layer.h"
#include "core/train/communicator.h"

namespace elmo {

/// Called with each parameter whose gradient is final. Any thread, several at once.
using GradientReady = std::function<void(const Parameter& parameter)>;

/// Sums in groups, in the same order on all ranks and at every step. A group is summed as soon as
/// this rank has all its gradients. The result does not depend on the timing.
class GradientExchange {
 public:
  /// `groups` contain every parameter once, in about the order in which their gradients become
  /// final. With several ranks, a separate thread computes the sums. `communicator` and the
  /// parameters must outlive this object. SystemError if the thread cannot be started.
  GradientExchange(Communicator& communicator, std::vector<std::vector<Parameter*>> groups);

  /// Waits for the group that is being summed, if any.
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Begins step `step` (from 0). Until finish(), nothing else may use the communicator. Gradients
  /// of parameters that are frozen in this step must be zero on all ranks; they are not waited for.
  void begin(std::uint64_t step);

  /// Callback to report final gradients to; empty if there is only one rank.
  GradientReady on_ready();

  /// Returns when all gradients of the step are summed over all ranks. Rethrows exceptions of the
  /// communicator.
  void finish();

 private:
  void work();
  bool is_frozen(const Parameter& parameter) const { return step_ < parameter.frozen_steps; }
  bool group_is_ready() const;
  bool done() const { return group_ == groups_.size(); }
  std::vector<std::span<float>> arrays_of_group() const;

  Communicator& communicator_;
  std::vector<std::vector<Parameter*>> groups_;  // in the order of their sums

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t step_ = 0;
  std::size_t group_;  // being summed or waited for
  std::set<const Parameter*> ready_;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace elmo
