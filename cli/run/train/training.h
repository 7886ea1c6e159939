// The training of a biLM, from the text to the saved model.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "cli/run/listener.h"
#include "cli/run/train/request.h"
#include "core/train/bilm/bilm_learner.h"
#include "core/train/communicator.h"
#include "core/train/session.h"

namespace elmo {

/// Is notified of what a session does, too.
class TrainingListener : public RunListener, public SessionListener<BilmLearner> {
 public:
  /// The session ends in an error, which comes next. `checkpoint`: the step of the newest one.
  virtual void session_failed(std::optional<std::uint64_t> /*checkpoint*/) {}
};

/// How a run ended; the same on all ranks.
enum class TrainingEnd {
  completed,        ///< the plan's end is reached
  was_complete,     ///< it had been reached before: the model was saved again
  stopped,          ///< a checkpoint of where it stopped is written
  stopped_reading,  ///< before its first step
};

/// What a run came to; the numbers are those of rank 0, and 0 on the others.
struct TrainingResult {
  TrainingEnd end = TrainingEnd::completed;
  std::uint64_t step = 0;
  std::uint64_t total_steps = 0;
  std::uint64_t tokens = 0;
  double seconds = 0.0;  ///< of all processes of the run
};

/// Trains with `ranks` until the plan ends or `stop` becomes true. Rank 0 alone has a session and
/// writes. Errors: as core and io throw them; RequestError on a rank whose settings differ from
/// rank 0's.
TrainingResult run_training(const TrainingRequest& request, const TrainingRun& run,
                            TrainingStart start, std::unique_ptr<Communicator> ranks,
                            TrainingListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
