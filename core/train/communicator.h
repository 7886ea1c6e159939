// Communication between the processes that train one model together.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace elmo {

/// Connects the ranks of a training run, each of which computes the gradients of its own lanes. All
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
  void gather(std::span<const float>, std::span<float>) override {}
};

}  // namespace elmo
