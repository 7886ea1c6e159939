// Processes that train one model together.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace elmo {

/// Connects the ranks of a training, each of which computes the gradients of lanes of its own. All
/// ranks make the same calls in the same order; each returns when its part is done. Any thread, one
/// at a time. Errors: as the implementation's; the ranks then cannot continue together.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 … size() − 1
  virtual int size() const = 0;  ///< at least 1

  /// Each number of each array becomes its sum over all ranks, taken in the order of the ranks, so
  /// that it is the same bits on all of them and whenever they are as many. All ranks give arrays
  /// of the same sizes.
  virtual void sum(std::span<const std::span<float>> arrays) = 0;

  /// The same, for a few numbers.
  virtual void sum(std::span<double> numbers) = 0;

  /// The bytes become those of rank 0. All ranks give as many.
  virtual void broadcast(std::span<std::byte> bytes) = 0;

  /// `all` of rank 0 becomes the numbers of rank 0, then those of rank 1, and so on; ranks may have
  /// different counts. `all` of other ranks is not looked at.
  virtual void gather(std::span<const float> numbers, std::span<float> all) = 0;
};

/// The values become those of rank 0; all ranks have as many.
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
