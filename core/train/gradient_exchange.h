// One step's gradients, summed over all ranks while the rest of them is still being computed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/model/parameters.h"
#include "core/train/backpropagation.h"
#include "core/train/communicator.h"

namespace elmo {

/// Sums in groups: each layer of the LSTMs, the softmax, the encoder. The order of the groups is
/// the same on all ranks and at every step, and about that in which one thread finishes them; a
/// group is summed once this rank has all of it. The sums do not depend on when that is.
class GradientExchange {
 public:
  /// `index` tells of `parameters` parameters. Where there are several ranks the sums are taken on
  /// a thread of its own. `communicator` has to outlive it. SystemError where the thread cannot be
  /// had.
  GradientExchange(Communicator& communicator, const ParameterIndex& index, std::size_t parameters);

  /// Waits for the group that is being summed, if there is one.
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// A step begins; until finish() nobody else may use the communicator. `softmax_only`: the
  /// gradients of all parameters are zero on all ranks.
  void begin(Gradients& gradients, bool softmax_only);

  /// What Backpropagation::run is to call; nothing where there is one rank.
  GradientReady on_ready();

  /// Returns when all of the step's gradients are sums over all ranks. Throws what the communicator
  /// has thrown.
  void finish();

 private:
  void work();
  bool group_is_ready() const;
  bool done() const { return group_ == groups_.size(); }
  std::vector<std::span<float>> arrays_of_group() const;

  Communicator& communicator_;
  std::size_t softmax_;                           // its place behind the parameters
  std::vector<std::vector<std::size_t>> groups_;  // of gradients, in the order of their sums

  std::mutex mutex_;
  std::condition_variable changed_;
  Gradients* gradients_ = nullptr;
  bool softmax_only_ = false;
  std::size_t group_;        // that is summed or waited for
  std::vector<bool> ready_;  // of each gradient
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace elmo
