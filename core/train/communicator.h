// Communication between the processes that train one model together: sums, copies, and the exchange
// of gradients while later ones are still being computed.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// Connects the ranks of a training run. Each rank computes the gradients of its own lanes. All
/// ranks make the same calls in the same order; each call returns when its rank's part is done. Any
/// thread, one at a time. Errors: as the implementation's; the ranks then cannot continue together.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 … size() − 1
  virtual int size() const = 0;  ///< at least 1

  /// Replaces each number of each array by its sum over all ranks, added in rank order. The bits
  /// are the same on all ranks, and in every run with the same number of ranks. Arrays must have
  /// the same sizes on all ranks.
  virtual void sum(std::span<const std::span<float>> arrays) = 0;

  /// Like sum() above, for a few numbers.
  virtual void sum(std::span<double> numbers) = 0;

  /// Copies rank 0's bytes to all ranks. The size must be the same on all ranks.
  virtual void broadcast(std::span<std::byte> bytes) = 0;

  /// Collects the numbers of all ranks, in rank order, in rank 0's `all`. Ranks may have different
  /// counts. `all` of other ranks is ignored.
  virtual void gather(std::span<const float> numbers, std::span<float> all) = 0;
};

/// Copies rank 0's values to all ranks. The size must be the same on all ranks.
template <typename Value>
void broadcast(Communicator& communicator, std::span<Value> values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  communicator.broadcast(std::as_writable_bytes(values));
}

/// A process that trains alone: rank 0 of 1.
class LocalCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<const std::span<float>>) override {}
  void sum(std::span<double>) override {}
  void broadcast(std::span<std::byte>) override {}
  void gather(std::span<const float> numbers, std::span<float> all) override {
    std::ranges::copy(numbers, all.begin());
  }
};

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
  std::size_t group_;  // group that is summed or waited for
  std::set<const Parameter*> ready_;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace elmo
