// Processes that train one model together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elmo {

/// Connects the ranks of a training, each of which computes the gradients of lanes of its own. All
/// ranks make the same calls in the same order; each returns when all ranks have made it. Sums are
/// taken in the order of the ranks, so that they are the same bits on all of them. One thread.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 … size() − 1
  virtual int size() const = 0;  ///< at least 1

  /// Each number becomes its sum over all ranks.
  virtual void sum(std::span<float> values) = 0;
  virtual void sum(std::span<double> values) = 0;

  /// The numbers of rank 0, then those of rank 1, and so on. Ranks may have different counts.
  virtual std::vector<std::int32_t> gather(std::span<const std::int32_t> numbers) = 0;
};

/// A process that trains alone: rank 0 of 1.
class LocalCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<float>) override {}
  void sum(std::span<double>) override {}
  std::vector<std::int32_t> gather(std::span<const std::int32_t> numbers) override {
    return {numbers.begin(), numbers.end()};
  }
};

}  // namespace elmo
