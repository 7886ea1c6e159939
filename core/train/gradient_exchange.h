// One step's gradients, summed over all ranks while the rest of them is still being computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "core/nn/parameter.h"
#include "core/train/communicator.h"
#include "core/train/gradient_ready.h"

namespace elmo {

/// Sums in groups, whose order is the same on all ranks and at every step. A group is summed once
/// this rank has all of it. The sums do not depend on when that is.
class GradientExchange {
 public:
  /// `groups`: every parameter once, about in the order in which their gradients become final.
  /// Where there are several ranks the sums are taken on a thread of its own. `communicator` and
  /// the parameters have to outlive it. SystemError where the thread cannot be had.
  GradientExchange(Communicator& communicator, std::vector<std::vector<Parameter*>> groups);

  /// Waits for the group that is being summed, if there is one.
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Step `step` (from 0) begins; until finish() nobody else may use the communicator. The
  /// gradients of parameters that it leaves frozen are zero on all ranks, and are not waited for.
  void begin(std::uint64_t step);

  /// What is to be told of gradients; nothing where there is one rank.
  GradientReady on_ready();

  /// Returns when all of the step's gradients are sums over all ranks. Throws what the communicator
  /// has thrown.
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
  std::size_t group_;  // that is summed or waited for
  std::set<const Parameter*> ready_;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace elmo
