// Trains a biLM, from the text to the saved model, or estimates the cost of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "core/train/communicator.h"
#include "core/train/session.h"
#include "io/engine/listener.h"
#include "io/engine/training_work.h"

namespace elmo {

/// The outcome of a run. Numbers are 0 on all ranks but rank 0.
struct TrainingResult {
  /// The same on all ranks; nothing: stopped while reading the text.
  std::optional<SessionEnd> end;
  std::uint64_t step = 0;
  std::uint64_t total_steps = 0;
  std::uint64_t tokens = 0;
  double seconds = 0.0;  ///< time of all processes of the run

  bool stopped() const { return !end || *end == SessionEnd::stopped; }
};

/// Trains with `ranks` until the plan is complete or `stop` becomes true. Only rank 0 writes and
/// has a session, which `steps` listens to. Errors: as in core and io; RequestError on a rank whose
/// settings differ from rank 0's. A NumericError or SystemError of the session says how to
/// continue.
TrainingResult run_training(const TrainRequest& request, TrainingStart start,
                            std::unique_ptr<Communicator> ranks, RunListener& listener,
                            SessionListener<BilmLearner>& steps, const std::atomic<bool>& stop);

/// A plan, and its cost estimated from a few steps.
struct DryTraining {
  TrainingOptions plan;
  std::vector<std::string> lines;  ///< the text and the plan, for people
  std::uint64_t tokens = 0;        ///< tokens of the text, like the next two
  std::uint64_t sentences = 0;
  std::uint64_t distinct_tokens = 0;
  std::uint64_t vocabulary = 0;  ///< words of the softmax
  std::uint64_t parameters = 0;  ///< parameters of the biLM
  std::uint64_t softmax_parameters = 0;
  std::uint64_t step_tokens = 0;
  std::uint64_t memory_bytes = 0;
  double tokens_per_second = 0.0;
  std::optional<double> validation_seconds;  ///< time of all validations; nothing: not counted
  double seconds = 0.0;                      ///< time of the whole plan, validations included
};

/// Reads the text and computes a few steps in one process. Leaves nothing on the disk; neither an
/// output nor a validation text is needed. Errors: as in core and io.
DryTraining measure_training(const TrainRequest& request, TrainingStart start,
                             RunListener& listener);

}  // namespace elmo
