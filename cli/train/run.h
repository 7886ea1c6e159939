// Trains a biLM, from the text to the saved model.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "cli/common/listener.h"
#include "cli/train/request.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/communicator.h"
#include "core/train/session.h"

namespace elmo {

/// Is also notified of events of the session.
class TrainingListener : public RunListener, public SessionListener<BilmLearner> {
 public:
  /// The session failed; its error is thrown next. `checkpoint`: the step of the newest one, if
  /// any.
  virtual void session_failed(std::optional<std::uint64_t> /*checkpoint*/) {}
};

/// How a run ended; the same on all ranks.
enum class TrainingEnd {
  completed,        ///< the plan is complete
  was_complete,     ///< the plan was complete before; the model was saved again
  stopped,          ///< with a checkpoint
  stopped_reading,  ///< before the first step
};

/// The outcome of a run. Numbers are 0 on all ranks but rank 0.
struct TrainingResult {
  TrainingEnd end = TrainingEnd::completed;
  std::uint64_t step = 0;
  std::uint64_t total_steps = 0;
  std::uint64_t tokens = 0;
  double seconds = 0.0;  ///< of all processes of the run
};

/// Trains with `ranks` until the plan is complete or `stop` becomes true. Only rank 0 has a session
/// and writes. Errors: as in core and io; RequestError on a rank whose settings differ from those
/// of rank 0.
TrainingResult run_training(const TrainingRequest& request, const TrainingRun& run,
                            TrainingStart start, std::unique_ptr<Communicator> ranks,
                            TrainingListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
